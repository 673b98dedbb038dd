// Radix sort of one block's keys, a bit at a time; the ranks come from ballots.
// RUN: --kernel _Z4sortPji --grid 2 --block 128 --arg keys=u32[256]{random:217} --arg bits=32
#include "device.h"

__global__ void sort(unsigned *keys, int bits) {
  __shared__ unsigned exchange[1024];
  __shared__ int zeros_of_warp[32];
  int self = thread_x(), warp = self / 32, size = threads_x();
  unsigned key = keys[global_x()];
  for (int bit = 0; bit < bits; ++bit) {
    bool zero = !(key >> bit & 1);
    unsigned votes = __ballot_sync(ALL, zero);
    if (lane() == 0)
      zeros_of_warp[warp] = __popc(votes);
    __syncthreads();
    int zeros_before = 0, zeros = 0;
    for (int w = 0; w < size / 32; ++w) {
      if (w == warp)
        zeros_before = zeros;
      zeros += zeros_of_warp[w];
    }
    zeros_before += __popc(votes & ((1u << lane()) - 1));
    exchange[zero ? zeros_before : zeros + self - zeros_before] = key;
    __syncthreads();
    key = exchange[self];
  }
  keys[global_x()] = key;
}
