// Sum of a work-group through local memory: a barrier in every step of a loop with a uniform condition.
// RUN: --grid 4 --block 64 --arg in=f32[1000]{random:112} --arg out=f32[4] --arg n=1000 --arg scratch=f32[64]
kernel void reduce(global const float *in, global float *out, uint n, local float *scratch) {
  uint self = get_local_id(0);
  float sum = 0.0f;
  for (uint i = get_global_id(0); i < n; i += get_global_size(0))
    sum += in[i];
  scratch[self] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint reach = get_local_size(0) / 2; reach > 0; reach >>= 1) {
    if (self < reach)
      scratch[self] += scratch[self + reach];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (self == 0)
    out[get_group_id(0)] = scratch[0];
}
