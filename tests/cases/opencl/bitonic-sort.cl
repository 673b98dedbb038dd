// Bitonic sort of one work-group's block: nested uniform loops with a barrier.
// RUN: --grid 4 --block 64 --arg keys=u32[256]{random:101} --arg block=u32[64]
kernel void bitonic_sort(global uint *keys, local uint *block) {
  uint self = get_local_id(0), size = get_local_size(0);
  block[self] = keys[get_global_id(0)];
  for (uint length = 2; length <= size; length <<= 1) {
    for (uint reach = length >> 1; reach > 0; reach >>= 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      uint other = self ^ reach;
      if (other > self) {
        bool up = (self & length) == 0;
        uint a = block[self], b = block[other];
        if ((a > b) == up) {
          block[self] = b;
          block[other] = a;
        }
      }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  keys[get_global_id(0)] = block[self];
}
