// All threads of a workgroup start together, in more than one subgroup.
kernel void work_group(global uint *out) {
  uint id = get_local_id(0);
  out[id] = 10 * work_group_reduce_add(1u) + sub_group_reduce_add(1u);
}
