// Local alignment of a query with many sequences, one per group, by anti-diagonals.
// RUN: --grid 3 --block 64 --arg query=i8[64]{2,4,4,3,4,4,2,2,3,3,1,1,1,4,3,4,3,2,2,1,4,2,4,3,2,3,4,3,2,3,1,1,2,3,2,1,3,2,3,4,1,1,3,1,3,3,1,3,3,3,2,4,1,3,2,4,3,2,3,4,2,3,1,3} --arg sequences=i8[150]{1,4,2,3,3,3,1,4,2,4,2,1,1,1,1,2,2,1,4,2,3,1,1,3,4,2,4,2,2,4,4,4,1,2,4,4,2,4,2,4,2,1,1,3,3,2,2,2,4,3,2,3,1,3,1,4,1,4,4,1,4,2,2,3,3,4,3,4,2,3,3,4,4,1,3,2,1,4,2,3,1,2,4,4,4,4,2,1,2,2,1,3,1,4,4,2,1,2,2,3,4,4,1,1,1,1,4,3,2,1,3,1,1,3,3,1,1,4,4,2,3,4,2,4,4,1,1,1,3,4,4,4,1,2,3,4,4,1,2,3,2,2,2,3,4,3,3,1,2,1} --arg offsets=i32{0,50,57,150} --arg gap=1 --arg best=i32[3]
#define LENGTH 64
kernel __attribute__((reqd_work_group_size(LENGTH, 1, 1))) void
align(global const char *query, global const char *sequences, global const int *offsets, int gap, global int *best) {
  local int before[LENGTH + 1], last[LENGTH + 1];
  int self = get_local_id(0), group = get_group_id(0);
  int start = offsets[group], length = offsets[group + 1] - start;
  char mine = query[self];
  int most = 0;
  before[self + 1] = last[self + 1] = 0;
  if (self == 0)
    before[0] = last[0] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int diagonal = 0; diagonal < length + LENGTH - 1; ++diagonal) {
    int column = diagonal - self, score = 0;
    if (column >= 0 && column < length) {
      score = before[self] + (sequences[start + column] == mine ? 2 : -1);
      score = max(max(score, 0), max(last[self], last[self + 1]) - gap);
      most = max(most, score);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    before[self + 1] = last[self + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    last[self + 1] = score;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  most = work_group_reduce_max(most);
  if (self == 0)
    best[group] = most;
}
