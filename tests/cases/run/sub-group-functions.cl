// Reductions, scans, broadcasts and votes of sub-groups, for sub-groups of several sizes; the last one of a group may be short.
// RUN: --grid 2 --block 64 --subgroup 32 --arg in=i32[128]{random:140} --arg out=i32[1280] --arg width=32
// RUN: --grid 2 --block 64 --subgroup 64 --arg in=i32[128]{random:141} --arg out=i32[1280] --arg width=64
// RUN: --grid 3 --block 40 --subgroup 16 --arg in=i32[120]{random:142} --arg out=i32[1200] --arg width=16
// RUN: --grid 1 --block 8 --subgroup 1 --arg in=i32[8]{random:143} --arg out=i32[80] --arg width=1
// FLAGS: -cl-std=CL3.0 -Xclang -cl-ext=+all
kernel void functions(global const int *in, global int *out, uint width) {
  int i = get_global_id(0), x = in[i] >> 12;
  global int *to = out + 10 * i;
  to[0] = sub_group_reduce_add(x);
  to[1] = sub_group_reduce_min(x) ^ sub_group_reduce_max((uint)x);
  to[2] = sub_group_scan_inclusive_add(x);
  to[3] = sub_group_scan_exclusive_add(x);
  to[4] = sub_group_scan_inclusive_max(x) - sub_group_scan_inclusive_min(x);
  to[5] = sub_group_scan_exclusive_max(x);
  to[6] = sub_group_broadcast(x, get_sub_group_size() - 1);
  to[7] = sub_group_any(x > 500000) + 2 * sub_group_all(x > -500000);
  to[8] = get_sub_group_id() * 10000 + get_sub_group_local_id() * 100 + get_num_sub_groups();
  to[9] = get_sub_group_size() * 1000 + (get_max_sub_group_size() == width);
}
