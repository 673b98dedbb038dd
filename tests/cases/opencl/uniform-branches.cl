// Barriers under conditions that the whole group agrees on: an argument, its place in the grid, a vote.
// RUN: --grid 3 --block 32 --arg data=i32[96]{iota} --arg mode=2 --arg rounds=9 --arg cells=i32[32]
kernel void exchange(global int *data, int mode, int rounds, local int *cells) {
  int self = get_local_id(0), i = get_global_id(0), x = data[i];
  if (mode == 0)
    return;
  if (get_group_id(0) == get_num_groups(0) - 1 && mode > 1) {
    cells[self] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    x += cells[self ^ 1];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int round = 0; round < rounds; ++round) {
    if ((round & 3) == mode)
      continue;
    cells[self] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    x = cells[(self + round) % get_local_size(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (work_group_all(x < round))
      break;
  }
  data[i] = x;
}
