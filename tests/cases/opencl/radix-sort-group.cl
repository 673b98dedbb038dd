// Radix sort of one work-group's keys, a bit in each round, with the scan that the language has.
// RUN: --grid 2 --block 64 --arg keys=u32[128]{random:124} --arg exchange=u32[64]
kernel void sort(global uint *keys, local uint *exchange) {
  uint self = get_local_id(0), size = get_local_size(0);
  uint key = keys[get_global_id(0)];
  for (uint bit = 0; bit < 32; ++bit) {
    uint one = key >> bit & 1;
    uint ones_before = work_group_scan_exclusive_add(one);
    uint zeros = size - work_group_reduce_add(one);
    exchange[one ? zeros + ones_before : self - ones_before] = key;
    barrier(CLK_LOCAL_MEM_FENCE);
    key = exchange[self];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  keys[get_global_id(0)] = key;
}
