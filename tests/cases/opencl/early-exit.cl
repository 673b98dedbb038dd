// Work-items leave one by one; the last statement is for those that stayed.
kernel void early_exit(global const int *in, global int *out, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  int x = in[i];
  if (x < 0) {
    out[i] = 0;
    return;
  }
  for (int k = 2; k * k <= x; ++k)
    if (x % k == 0) {
      out[i] = k;
      return;
    }
  out[i] = sub_group_reduce_max(x);
}
