kernel void k(global int *out, int n) {
  int i = get_local_id(0);
  switch (n) {
    case 0:
      do {
        if (i == 3) goto last;
    case 1:
        out[i] = work_group_reduce_add(i);
      } while (--n > 0);
      break;
    default:;
  }
  last:
  barrier(CLK_LOCAL_MEM_FENCE);
  __attribute__((noconvergent)) { for (;;) { if (i++ > n) break; continue; } }
}
