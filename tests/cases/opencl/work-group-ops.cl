// Work-group collective functions.
// RUN: --grid 4 --block 32 --arg in=i32[128]{iota} --arg out=i32[128]
// RUN: --grid 1 --block 4 --arg in=i32{5,-1,7,9} --arg out=i32[4]
kernel void work_group_ops(global const int *in, global int *out) {
  int i = get_global_id(0);
  int x = in[i];
  int total = work_group_reduce_add(x);
  int before = work_group_scan_exclusive_add(x);
  if (work_group_any(x < 0))
    total = work_group_broadcast(x, 0);
  out[i] = total - before;
}
