kernel void reduce(global const int *in, global int *out, int n) {
  int block = get_local_size(0), sum = 0;
  if (get_local_id(0) != 0)
    return;
  for (int k = 0; k < n; ++k)
    if (k / block % 32 == (int)get_group_id(0))
      sum += in[k];
  out[get_group_id(0)] = sum;
}
