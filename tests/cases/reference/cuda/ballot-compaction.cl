kernel void compact(global const int *in, global int *out, global int *count, int n) {
  if (get_global_id(0) == 0)
    for (int k = 0; k < n; ++k)
      if (in[k] > 0)
        out[(*count)++] = in[k];
}
