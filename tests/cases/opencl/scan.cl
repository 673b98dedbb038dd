// Inclusive prefix sum of a work-group, doubling the distance in every step.
// RUN: --grid 4 --block 64 --arg data=i32[256]{iota} --arg even=i32[64] --arg odd=i32[64]
kernel void scan(global int *data, local int *even, local int *odd) {
  uint self = get_local_id(0), size = get_local_size(0);
  local int *from = even, *to = odd;
  from[self] = data[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint distance = 1; distance < size; distance *= 2) {
    to[self] = self >= distance ? from[self] + from[self - distance] : from[self];
    barrier(CLK_LOCAL_MEM_FENCE);
    local int *swap = from;
    from = to;
    to = swap;
  }
  data[get_global_id(0)] = from[self];
}
