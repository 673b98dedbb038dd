// Points in a circle, by integers only; the counts of a group are added up.
// RUN: --grid 4 --block 64 --arg out=u32[4] --arg throws=100 --arg seed=12345
kernel void darts(global uint *out, uint throws, uint seed) {
  local uint counts[64];
  uint self = get_local_id(0), x = (uint)get_global_id(0) * 2654435761u ^ seed, inside = 0;
  for (uint k = 0; k < throws; ++k) {
    x = x * 1103515245u + 12345u;
    uint a = x >> 16;
    x = x * 1103515245u + 12345u;
    uint b = x >> 16;
    if (a * a / 2 + b * b / 2 <= 0x7fffffffu)
      ++inside;
  }
  counts[self] = inside;
  for (uint reach = 32; reach > 0; reach >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (self < reach)
      counts[self] += counts[self + reach];
  }
  if (self == 0)
    out[get_group_id(0)] = counts[0];
}
