// Keeps the elements that pass a test, in order.
// RUN: --grid 1 --block 64 --arg in=i32[60]{random:128} --arg out=i32[60] --arg count=u32[1] --arg n=60
kernel void compact(global const int *in, global int *out, global volatile uint *count, int n) {
  local uint base;
  int i = get_global_id(0);
  int keep = i < n && in[i] % 3 == 0;
  int place = work_group_scan_exclusive_add(keep);
  if (get_local_id(0) == get_local_size(0) - 1)
    base = atomic_add(count, (uint)(place + keep));
  barrier(CLK_LOCAL_MEM_FENCE);
  if (keep)
    out[base + place] = in[i];
}
