kernel void histogram(global const uchar *in, int n, global int *bins) {
  int i = get_global_id(0);
  if (i >= 256)
    return;
  for (int k = 0; k < n; ++k)
    bins[i] += in[k] == i;
}
