// Queens on a board: each thread has the first two placed and goes through the rest with an explicit stack.
// RUN: --grid 1 --block 64 --arg out=u32[64] --arg n=8
// RUN: --grid 1,1 --block 36 --arg out=u32[36] --arg n=6
kernel void queens(global uint *out, uint n) {
  uint i = get_global_id(0), first = i / n, second = i % n, all = (1u << n) - 1, count = 0;
  uint columns[16], left[16], right[16], open[16];
  uint a = 1u << first, b = 1u << second;
  if (first != second && first + 1 != second && second + 1 != first) {
    int depth = 2;
    columns[2] = a | b;
    left[2] = (a << 1 | b) << 1;
    right[2] = (a >> 1 | b) >> 1;
    open[2] = all & ~(columns[2] | left[2] | right[2]);
    while (depth >= 2) {
      uint free = open[depth];
      if (!free) {
        --depth;
        continue;
      }
      uint queen = free & -free;
      open[depth] = free ^ queen;
      if ((uint)depth == n - 1) {
        ++count;
        continue;
      }
      columns[depth + 1] = columns[depth] | queen;
      left[depth + 1] = (left[depth] | queen) << 1;
      right[depth + 1] = (right[depth] | queen) >> 1;
      ++depth;
      open[depth] = all & ~(columns[depth] | left[depth] | right[depth]);
    }
  }
  out[i] = count;
}
