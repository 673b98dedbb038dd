// Broken twin of softmax: a function of the work-group is called by those that have an element of the row.
kernel void softmax(global const float *in, global float *out, int width) {
  int self = get_local_id(0); // CAUSE
  if (self >= width)
    return;
  float x = in[get_group_id(0) * width + self];
  float most = work_group_reduce_max(x); // EXPECT: RC0209 warning
  out[get_group_id(0) * width + self] = exp(x - most);
}
