// Broken twin of goto-state-machine: a jump into a loop, so that it depends on the implementation who is in an iteration.
#include "../../cuda/device.h"

__attribute__((convergent)) __device__ int exchange(int);

__global__ void machine(int *data, int n) {
  int i = global_x();
  int state = data[i]; // CAUSE
  if (state & 1)
    goto odd;
  while (state < n) {
    state = state * 2;
  odd:
    state += exchange(state); // EXPECT: RC0301 warning
  }
  data[i] = state;
}
