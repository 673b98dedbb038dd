kernel void filter(global const int *in, int n, global int *out, global int *count) {
  if (get_global_id(0) == 0)
    for (int k = 0; k < n; ++k)
      if (in[k] > 0)
        out[(*count)++] = in[k];
}

kernel void histogram(global const int *in, int n, global int *bins) {
  if (get_global_id(0) == 0)
    for (int k = 0; k < n; ++k)
      ++bins[in[k] & 255];
}
