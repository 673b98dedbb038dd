// Broken twin of layer-norm: shuffles in the loop over the row, in whose last round not all threads are.
#include "../../cuda/device.h"

__global__ void row_sums(const float *in, float *out, int width) {
  const float *row = in + block_x() * width;
  float sum = 0;
  int self = thread_x(); // CAUSE
  for (int i = self; i < width; i += 32) {
    float x = row[i];
    sum += __shfl_xor_sync_f(ALL, x, 1); // EXPECT: RC0204 warning
  }
  out[block_x() * 32 + self] = sum;
}
