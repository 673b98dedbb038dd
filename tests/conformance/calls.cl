// One function that is called from two places, by different threads, and one that all threads leave together by different returns.
uint count(void) { return sub_group_reduce_add(1u); }

uint sign(uint id) {
  if (id & 1)
    return 1;
  return 0;
}

kernel void calls(global uint *in_branches, global uint *after_returns) {
  uint id = get_local_id(0);
  if (id == 0)
    in_branches[id] = count();
  else
    in_branches[id] = count();
  uint mine = sign(id);
  after_returns[id] = sub_group_reduce_add(1u) + mine * 0;
}
