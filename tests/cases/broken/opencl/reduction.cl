// Broken twin of reduction: the barrier of each step is for those that add.
kernel void reduce(global const float *in, global float *out, uint n, local float *scratch) {
  uint self = get_local_id(0); // CAUSE
  scratch[self] = get_global_id(0) < n ? in[get_global_id(0)] : 0.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint reach = get_local_size(0) / 2; reach > 0; reach >>= 1) {
    if (self < reach) {
      scratch[self] += scratch[self + reach];
      barrier(CLK_LOCAL_MEM_FENCE); // EXPECT: RC0201 error
    }
  }
  if (self == 0)
    out[get_group_id(0)] = scratch[0];
}
