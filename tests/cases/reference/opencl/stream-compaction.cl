kernel void compact(global const int *in, global int *out, global uint *count, int n) {
  if (get_global_id(0) != 0)
    return;
  for (int k = 0; k < n; ++k)
    if (in[k] % 3 == 0)
      out[(*count)++] = in[k];
}
