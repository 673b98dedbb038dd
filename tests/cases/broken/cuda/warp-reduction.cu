// Broken twin of warp-reduction: the first warp waits for the others, which are past that.
#include "../../cuda/device.h"

__global__ void __launch_bounds__(256) reduce(const int *in, int *out) {
  __shared__ int partial[256];
  int self = thread_x(); // CAUSE
  partial[self] = in[global_x()];
  if (self / 32 == 0) {
    partial[self] += partial[self + 32];
    __syncthreads(); // EXPECT: RC0201 error
  }
  out[global_x()] = partial[self];
}
