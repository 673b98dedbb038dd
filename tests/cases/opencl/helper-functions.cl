// Convergence across calls: a helper with a barrier, one with a sub-group operation, one with neither.
static int plain(int x) { return x * x + 1; }

__attribute__((noinline)) static void sync_group(void) { barrier(CLK_LOCAL_MEM_FENCE); }

__attribute__((noinline)) static int vote(int x) {
  if (x > 3)
    return sub_group_any(x & 1);
  return sub_group_all(plain(x) > 2);
}

kernel void helpers(global int *data, local int *scratch) {
  int self = get_local_id(0);
  scratch[self] = plain(data[self]);
  sync_group();
  int x = scratch[self ^ 1];
  while (vote(x))
    x -= plain(x & 1);
  data[self] = x;
}
