kernel void block_scan(global const int *in, global int *out, global int *totals, int n) {
  int sum = 0;
  if (get_local_id(0) != 0)
    return;
  for (int k = get_global_id(0); k < min(n, (int)(get_global_id(0) + get_local_size(0))); ++k) {
    out[k] = sum;
    sum += in[k];
  }
  totals[get_group_id(0)] = sum;
}
