// Wrong on purpose: a barrier that only half of the work-group reaches.
kernel void barrier_in_branch(global int *data) {
  local int cell[64];
  int self = get_local_id(0);
  cell[self & 63] = data[self];
  if (self < 32) {
    data[self] = cell[63 - self];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  data[self] += cell[self & 31];
}
