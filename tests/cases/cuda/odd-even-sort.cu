// Odd-even transposition sort of a block, until a round of the block changes nothing.
// RUN: --kernel _Z4sortPi --grid 2 --block 64 --arg keys=i32[128]{random:214}
#include "device.h"

__global__ void sort(int *keys) {
  __shared__ int block[256];
  int self = thread_x();
  block[self] = keys[global_x()];
  __syncthreads();
  int swapped;
  do {
    swapped = 0;
    for (int odd = 0; odd < 2; ++odd) {
      if ((self & 1) == odd && self + 1 < threads_x()) {
        int a = block[self], b = block[self + 1];
        if (a > b) {
          block[self] = b;
          block[self + 1] = a;
          swapped = 1;
        }
      }
      __syncthreads();
    }
  } while (__syncthreads_or(swapped));
  keys[global_x()] = block[self];
}
