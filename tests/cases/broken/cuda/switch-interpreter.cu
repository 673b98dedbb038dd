// Broken twin of switch-interpreter: what a thread does depends on its place, and one of the cases waits.
#include "../../cuda/device.h"

__global__ void roles(int *data) {
  __shared__ int cell;
  int self = thread_x(), x = data[self]; // CAUSE
  switch (self & 3) {
  case 0: x += 1; break;
  case 1:
    cell = x;
    __syncthreads(); // EXPECT: RC0201 error
    break;
  case 2: x = -x; // falls through
  default: x ^= self;
  }
  data[self] = x + cell;
}
