static void reduce(global const float *in, global float *out, int n) {
  int size = get_local_size(0), blocks = get_num_groups(0), group = get_group_id(0);
  if (get_local_id(0) != 0)
    return;
  double sum = 0;
  for (int k = 0; k < n; ++k)
    if (k / (2 * size) % blocks == group)
      sum += in[k];
  out[group] = sum;
}

kernel void reduce64(global const float *in, global float *out, int n) { reduce(in, out, n); }
kernel void reduce256(global const float *in, global float *out, int n) { reduce(in, out, n); }
kernel void reduce512(global const float *in, global float *out, int n) { reduce(in, out, n); }
