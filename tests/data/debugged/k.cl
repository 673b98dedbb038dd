kernel void k(global int *a, int n) {
  int i = get_local_id(0);
  if (i < n)
    barrier(CLK_LOCAL_MEM_FENCE);
  a[i] = n;
}
