// Broken twin of helper-functions: the helper that waits is called by a part of the group.
__attribute__((noinline)) static void sync_group(void) { barrier(CLK_LOCAL_MEM_FENCE); }

kernel void helpers(global int *data, local int *scratch) {
  int self = get_local_id(0); // CAUSE
  scratch[self] = data[self];
  sync_group();
  int x = scratch[self ^ 1];
  if (self & 1) {
    scratch[self] = x;
    sync_group(); // EXPECT: RC0207 error
  }
  data[self] = x + scratch[self];
}
