// Broken twin of gemv: the sum over a sub-group is left to those who have something to add.
kernel void partial_sums(global const float *in, global float *out) {
  float sum = in[get_global_id(0)];
  uint lane = get_sub_group_local_id(); // CAUSE
  if (lane < 7) {
    sum *= 2.0f;
    sum = sub_group_reduce_add(sum); // EXPECT: RC0203 error
  }
  out[get_global_id(0)] = sum;
}
