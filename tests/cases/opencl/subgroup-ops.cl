// Every family of sub-group function, in uniform and in divergent control.
kernel void subgroup_ops(global const int *in, global int *out) {
  int i = get_global_id(0);
  int x = in[i];
  int sum = sub_group_reduce_add(x);
  int below = sub_group_scan_exclusive_add(x);
  int upto = sub_group_scan_inclusive_max(x);
  if (sub_group_all(x > 0))
    sum += sub_group_broadcast(x, 3);
  else if (get_sub_group_local_id() < 7)
    below += sub_group_reduce_min(x);
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = sum + below + upto + (int)get_sub_group_id();
}
