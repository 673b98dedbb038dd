// Exclusive scan by a balanced tree in local memory, for any power of two as the group's size.
// RUN: --grid 4 --block 64 --arg data=i32[256]{iota} --arg totals=i32[4] --arg tree=i32[64]
kernel void scan(global int *data, global int *totals, local int *tree) {
  uint self = get_local_id(0), size = get_local_size(0), i = get_global_id(0);
  tree[self] = data[i];
  for (uint reach = 1; reach < size; reach <<= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    uint at = (self + 1) * reach * 2 - 1;
    if (at < size)
      tree[at] += tree[at - reach];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (self == size - 1) {
    totals[get_group_id(0)] = tree[self];
    tree[self] = 0;
  }
  for (uint reach = size >> 1; reach > 0; reach >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    uint at = (self + 1) * reach * 2 - 1;
    if (at < size) {
      int left = tree[at - reach];
      tree[at - reach] = tree[at];
      tree[at] += left;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  data[i] = tree[self];
}
