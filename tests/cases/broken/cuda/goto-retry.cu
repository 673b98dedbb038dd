// Broken twin of goto-cleanup: a thread that has failed waits and tries again.
#include "../../cuda/device.h"

__global__ void claim(int *slots, int *out, int n) {
  int i = global_x(), slot = i % n;
retry:
  __syncthreads(); // EXPECT: RC0202 warning
  if (atomicCAS(&slots[slot], 0, i) != 0) { // CAUSE
    slot = (slot + 1) % n;
    goto retry;
  }
  out[i] = slot;
}
