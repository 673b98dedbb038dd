kernel void sum(global const float *in, int n, global float *sums, global int *finished, global float *out) {
  if (get_global_id(0) != 0)
    return;
  int block = get_local_size(0), blocks = get_num_groups(0);
  double total = 0;
  for (int b = 0; b < blocks; ++b) {
    double mine = 0;
    for (int k = 0; k < n; ++k)
      if (k / block % blocks == b)
        mine += in[k];
    sums[b] = mine;
    total += mine;
  }
  *out = total;
}
