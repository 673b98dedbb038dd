// Softmax of a row by a warp: the maximum and the sum in one pass.
// RUN: --kernel _Z7softmaxPKfPfii --grid 2 --block 32 --arg in=f32[350]{random:215} --arg out=f32[350] --arg rows=5 --arg width=70
// TOLERANCE: out=1e-5
#include "device.h"

__global__ void softmax(const float *in, float *out, int rows, int width) {
  for (int row = block_x(); row < rows; row += blocks_x()) {
    float most = -1e30f, sum = 0;
    for (int i = thread_x(); i < width; i += 32) {
      float x = in[row * width + i];
      if (x > most) {
        sum = sum * exp2f(most - x) + 1;
        most = x;
      } else {
        sum += exp2f(x - most);
      }
    }
    for (int by = 16; by > 0; by /= 2) {
      float other_most = __shfl_xor_sync_f(ALL, most, by), other_sum = __shfl_xor_sync_f(ALL, sum, by);
      float both = fmaxf(most, other_most);
      sum = sum * exp2f(most - both) + other_sum * exp2f(other_most - both);
      most = both;
    }
    for (int i = thread_x(); i < width; i += 32)
      out[row * width + i] = exp2f(in[row * width + i] - most) / sum;
  }
}
