// Tickets and counters in local memory; what each thread gets differs, what is left does not.
// RUN: --grid 4 --block 64 --arg in=u32[256]{random:50} --arg out=u32[2304]
kernel void atomics(global const uint *in, global uint *out) {
  local uint cells[8], seen[64];
  uint self = get_local_id(0), x = in[get_global_id(0)];
  seen[self] = 0;
  if (self < 8)
    cells[self] = self == 4 ? ~0u : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint ticket = atomic_inc(&cells[0]);
  atomic_add(&seen[ticket], 1);
  atomic_add(&cells[1], x);
  atomic_xor(&cells[2], x);
  atomic_max(&cells[3], x);
  atomic_min(&cells[4], x);
  atomic_or(&cells[5], 1u << (x & 31));
  if (atomic_cmpxchg(&cells[6], 0, 1) == 0)
    atomic_add(&cells[7], 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  global uint *to = out + get_group_id(0) * 576;
  if (self < 8)
    to[self] = cells[self];
  to[64 + self] = seen[self];
  // Lists by the lowest three bits: heads and links by exchange; only the lengths and sums are looked at.
  local uint heads[8], links[64];
  if (self < 8)
    heads[self] = ~0u;
  barrier(CLK_LOCAL_MEM_FENCE);
  links[self] = atomic_xchg(&heads[x & 7], self);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (self < 8) {
    uint length = 0, sum = 0;
    for (uint at = heads[self]; at != ~0u; at = links[at], ++length)
      sum += at;
    to[128 + self] = length;
    to[136 + self] = sum;
  }
}
