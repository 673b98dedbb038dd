// Batcher's odd-even merge sort of a group's keys: three nested loops, all with the same bounds for everybody.
// RUN: --grid 2 --block 64 --arg keys=i32[128]{random:111} --arg block=i32[64]
static void order(local int *low, local int *high) {
  int a = *low, b = *high;
  *low = min(a, b);
  *high = max(a, b);
}

kernel void sort(global int *keys, local int *block) {
  int self = get_local_id(0), size = get_local_size(0);
  block[self] = keys[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int width = 1; width < size; width *= 2)
    for (int distance = width; distance >= 1; distance /= 2) {
      int first = distance % width;
      int within = (self - first) % (2 * distance);
      bool same = self / (2 * width) == (self + distance) / (2 * width);
      if (self >= first && self + distance < size && within < distance && same)
        order(&block[self], &block[self + distance]);
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  keys[get_global_id(0)] = block[self];
}
