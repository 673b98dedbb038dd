// The length of Collatz sequences: a loop that every thread leaves at another time.
// RUN: --grid 8 --block 64 --arg out=u32[512] --arg first=1
// RUN: --grid 2,2 --block 8,8 --arg out=u32[256] --arg first=837700
kernel void collatz(global uint *out, ulong first) {
  size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);
  ulong x = first + i;
  uint steps = 0;
  while (x != 1) {
    x = x & 1 ? 3 * x + 1 : x / 2;
    ++steps;
  }
  out[i] = steps;
}
