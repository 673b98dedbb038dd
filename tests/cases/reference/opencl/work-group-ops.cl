kernel void work_group_ops(global const int *in, global int *out) {
  int i = get_global_id(0), first = i - get_local_id(0), total = 0, before = 0;
  bool negative = false;
  for (int k = first; k < first + (int)get_local_size(0); ++k) {
    total += in[k];
    before += k < i ? in[k] : 0;
    negative |= in[k] < 0;
  }
  out[i] = (negative ? in[first] : total) - before;
}
