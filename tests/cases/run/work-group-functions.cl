// Functions of the whole work-group: reductions, scans, broadcasts and votes, over groups of several sizes and dimensions.
// RUN: --grid 2 --block 64 --arg in=i32[128]{random:148} --arg out=i64[1024]
// RUN: --grid 2 --block 100 --arg in=i32[200]{random:149} --arg out=i64[1600]
// RUN: --grid 1,2 --block 8,4 --arg in=i32[64]{random:150} --arg out=i64[512]
kernel void functions(global const int *in, global long *out) {
  size_t group = get_group_id(1) * get_num_groups(0) + get_group_id(0);
  size_t i = group * get_local_size(0) * get_local_size(1) + get_local_linear_id();
  long x = in[i];
  global long *to = out + 8 * i;
  to[0] = work_group_reduce_add(x);
  to[1] = work_group_reduce_min((int)x);
  to[2] = work_group_reduce_max((uint)x);
  to[3] = work_group_scan_inclusive_add(x);
  to[4] = work_group_scan_exclusive_add((uint)x);
  to[5] = work_group_scan_inclusive_max(x);
  to[6] = get_local_size(1) > 1 ? work_group_broadcast(x, 3, 2) : work_group_broadcast(x, 5);
  to[7] = work_group_any(x > 2000000000) + 2 * work_group_all(x < 2140000000);
}
