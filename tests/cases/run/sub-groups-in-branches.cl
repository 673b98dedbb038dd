// Operations of sub-groups in branches and loops that only some threads take: those take part that are there.
// ONLY: pocl because Oclgrind adds up too many elements in the scalar version
// RUN: --grid 2 --block 64 --subgroup 32 --arg in=i32[128]{random:146} --arg out=i32[384] --arg width=32
// RUN: --grid 1 --block 32 --subgroup 8 --arg in=i32[32]{random:147} --arg out=i32[96] --arg width=8
// FLAGS: -cl-std=CL3.0 -Xclang -cl-ext=+all
kernel void branches(global const int *in, global int *out, uint width) {
  int i = get_global_id(0), x = in[i] >> 10 & 0xfff;
  int result;
  if (x & 1)
    result = sub_group_non_uniform_reduce_add(x);
  else
    result = -sub_group_non_uniform_reduce_max(x);
  out[3 * i] = result;
  int sum = 0;
  for (int k = 0; k < (x & 7); ++k)
    sum = sum * 3 + sub_group_non_uniform_reduce_add(1);
  out[3 * i + 1] = sum;
  int turns = 0;
  switch (x >> 3 & 3) {
  case 0: turns = sub_group_non_uniform_reduce_min(x); break;
  case 1: turns = sub_group_non_uniform_scan_exclusive_add(x); break;
  case 2: turns = sub_group_non_uniform_any(x > 2048); break;
  default: turns = sub_group_broadcast_first(x);
  }
  out[3 * i + 2] = turns;
}
