// Every question that a thread can ask about its place.
// RUN: --grid 2,3,2 --block 4,2,2 --arg out=u32[1536]
// RUN: --grid 5 --block 7 --arg out=u32[280]
kernel void places(global uint *out) {
  size_t i = (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0);
  global uint *to = out + 8 * i;
  to[0] = get_global_id(0) | get_global_id(1) << 8 | get_global_id(2) << 16 | get_global_id(3) << 24;
  to[1] = get_local_id(0) | get_local_id(1) << 8 | get_local_id(2) << 16;
  to[2] = get_group_id(0) | get_group_id(1) << 8 | get_group_id(2) << 16;
  to[3] = get_global_size(0) | get_global_size(1) << 8 | get_global_size(2) << 16;
  to[4] = get_local_size(0) | get_local_size(1) << 8 | get_local_size(2) << 16;
  to[5] = get_num_groups(0) | get_num_groups(1) << 8 | get_num_groups(2) << 16;
  to[6] = get_work_dim() >= 1 ? get_global_offset(0) + get_global_offset(1) : 77;
  uint sum = 0;
  for (uint d = 0; d < 3; ++d)
    sum = sum * 1000 + get_global_id(d) - (get_group_id(d) * get_local_size(d) + get_local_id(d)) + d;
  to[7] = sum;
}
