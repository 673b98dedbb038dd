// An array of structures in local memory, filled by some threads and read by others; columns of arrays; pointers to both.
// RUN: --grid 2 --block 32 --arg in=u32[64]{random:90} --arg out=u32[192]
typedef struct {
  uchar kind;
  ushort size;
  float weight;
  uint links[2];
} record;

kernel void records(global const uint *in, global uint *out) {
  local record table[32];
  local struct {
    uint total[4];
    float most;
  } summary;
  uint self = get_local_id(0), x = in[get_global_id(0)];
  local record *mine = &table[self];
  mine->kind = x & 3;
  mine->size = x >> 8;
  mine->weight = (x >> 20) * 0.25f;
  mine->links[0] = x >> 5 & 31;
  mine->links[1] = x >> 11 & 31;
  if (self < 4)
    summary.total[self] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint sum = 0;
  local const record *at = mine;
  for (int k = 0; k < 10; ++k) {
    sum = sum * 17 + at->size + (uint)at->weight;
    at = &table[at->links[(sum ^ at->kind) & 1]];
  }
  atomic_add(&summary.total[at->kind], at->size);
  if (self == 31) {
    float most = 0.0f;
    for (int k = 0; k < 32; ++k)
      most = fmax(most, table[k].weight);
    summary.most = most;
  }
  record copy = *at;
  barrier(CLK_LOCAL_MEM_FENCE);
  global uint *to = out + 3 * get_global_id(0);
  to[0] = sum;
  to[1] = summary.total[self & 3] + (uint)summary.most;
  to[2] = copy.kind + copy.size * 4 + copy.links[1] * 65536;
}
