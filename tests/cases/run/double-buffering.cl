// Rounds of exchange between neighbours, with a barrier on global memory and results in two halves of a buffer.
// RUN: --grid 3 --block 16 --arg data=u32[96]{random:91} --arg rounds=9
kernel void exchange(global uint *data, uint rounds) {
  uint self = get_local_id(0), size = get_local_size(0);
  global uint *halves = data + get_group_id(0) * 2 * size;
  for (uint round = 0; round < rounds; ++round) {
    global uint *from = halves + (round & 1) * size, *to = halves + (~round & 1) * size;
    to[self] = from[self] * 3 + from[(self + 1) % size] - from[(self + size - round % size) % size];
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}
