// Formatted output and long vectors.
kernel void debug_print(global const ulong16 *in, global double8 *out) {
  size_t i = get_global_id(0);
  ulong16 v = in[i];
  if (v.s0 == v.sf)
    printf("%d: %lu %v4hlx\n", (int)i, v.s3, as_uint4(v.s45));
  out[i] = convert_double8(v.even) / 3.0;
}
