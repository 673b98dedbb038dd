// Stable counting sort of a group's keys by a digit at a time: counts of each thread, and a scan over them.
// RUN: --grid 2 --block 32 --arg keys=u32[512]{random:47}
#define EACH 8
#define DIGITS 16
kernel void sort(global uint *keys) {
  local uint buffer[2][EACH * 32], counts[DIGITS][32];
  uint self = get_local_id(0), size = get_local_size(0), first = get_group_id(0) * size * EACH, now = 0;
  for (uint k = 0; k < EACH; ++k)
    buffer[0][k * size + self] = keys[first + k * size + self];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint shift = 0; shift < 32; shift += 4, now ^= 1) {
    for (uint d = 0; d < DIGITS; ++d)
      counts[d][self] = 0;
    for (uint k = 0; k < EACH; ++k)
      ++counts[buffer[now][self * EACH + k] >> shift & 15][self];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (self == 0) {
      uint sum = 0;
      for (uint d = 0; d < DIGITS; ++d)
        for (uint t = 0; t < size; ++t) {
          uint count = counts[d][t];
          counts[d][t] = sum;
          sum += count;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < EACH; ++k) {
      uint key = buffer[now][self * EACH + k];
      buffer[now ^ 1][counts[key >> shift & 15][self]++] = key;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (uint k = 0; k < EACH; ++k)
    keys[first + k * size + self] = buffer[now][k * size + self];
}
