// Broken twin of uniform-branches: sub-groups agree, each with itself.
kernel void exchange(global int *data, local int *cells) {
  int self = get_local_id(0), i = get_global_id(0), x = data[i];
  uint group = get_sub_group_id(); // CAUSE
  cells[self] = x;
  if (group == 0) {
    x += 1;
    barrier(CLK_LOCAL_MEM_FENCE); // EXPECT: RC0201 error
  }
  data[i] = x + cells[self ^ 1];
}
