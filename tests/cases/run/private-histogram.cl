// Counts of each thread in private memory, of bytes packed in words; added up by rows of local memory.
// RUN: --grid 2 --block 16 --arg in=u8[2048]{random:48} --arg bins=u32[64]
kernel void histogram(global const uchar *in, global uint *bins) {
  local uint rows[16][32];
  uchar mine[32];
  uint self = get_local_id(0);
  for (int k = 0; k < 32; ++k)
    mine[k] = 0;
  for (int k = 0; k < 64; ++k)
    ++mine[in[get_global_id(0) * 64 + k] >> 3];
  for (int k = 0; k < 32; ++k)
    rows[self][k] = mine[k];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int bin = self; bin < 32; bin += 16) {
    uint sum = 0;
    for (int row = 0; row < 16; ++row)
      sum += rows[row][bin];
    bins[get_group_id(0) * 32 + bin] = sum;
  }
}
