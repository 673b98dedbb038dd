// Normalisation of a row by its mean and variance; a block per row, sums by shuffles and shared memory.
// RUN: --kernel _Z10layer_normPKfPfS0_S0_if --grid 3 --block 64 --arg in=f32[300]{random:211} --arg out=f32[300] --arg scale=f32[100]{random:212} --arg shift=f32[100]{random:213} --arg width=100 --arg epsilon=0.001
// TOLERANCE: out=1e-4
#include "device.h"

struct moments {
  float sum, squares;
};

static __device__ moments block_moments(moments m) {
  __shared__ moments partial[32];
  for (int by = 16; by > 0; by /= 2) {
    m.sum += __shfl_xor_sync_f(ALL, m.sum, by);
    m.squares += __shfl_xor_sync_f(ALL, m.squares, by);
  }
  if (lane() == 0)
    partial[thread_x() / 32] = m;
  __syncthreads();
  moments all = {0, 0};
  for (int warp = 0; warp < threads_x() / 32; ++warp) {
    all.sum += partial[warp].sum;
    all.squares += partial[warp].squares;
  }
  return all;
}

__global__ void layer_norm(const float *in, float *out, const float *scale, const float *shift, int width, float epsilon) {
  const float *row = in + block_x() * width;
  moments mine = {0, 0};
  for (int i = thread_x(); i < width; i += threads_x()) {
    mine.sum += row[i];
    mine.squares += row[i] * row[i];
  }
  moments all = block_moments(mine);
  float mean = all.sum / width;
  float factor = 1 / sqrtf(all.squares / width - mean * mean + epsilon);
  for (int i = thread_x(); i < width; i += threads_x())
    out[block_x() * width + i] = (row[i] - mean) * factor * scale[i] + shift[i];
}
