// Sum of a block whose size is a constant: the branches on it disappear.
// RUN: --kernel _Z8reduce64PKfPfi --grid 2 --block 64 --arg in=f32[3000]{random:282} --arg out=f32[2] --arg n=3000
// RUN: --kernel _Z9reduce256PKfPfi --grid 2 --block 256 --arg in=f32[3000]{random:474} --arg out=f32[2] --arg n=3000
// RUN: --kernel _Z9reduce512PKfPfi --grid 2 --block 512 --arg in=f32[3000]{random:730} --arg out=f32[2] --arg n=3000
// TOLERANCE: out=1e-2
#include "device.h"

template <int SIZE> static __device__ void reduce_block(const float *in, float *out, int n) {
  __shared__ float partial[SIZE];
  int self = thread_x();
  float sum = 0;
  for (int i = block_x() * SIZE * 2 + self; i < n; i += SIZE * 2 * blocks_x()) {
    sum += in[i];
    if (i + SIZE < n)
      sum += in[i + SIZE];
  }
  partial[self] = sum;
  __syncthreads();
  if (SIZE >= 512) {
    if (self < 256)
      partial[self] = sum = sum + partial[self + 256];
    __syncthreads();
  }
  if (SIZE >= 256) {
    if (self < 128)
      partial[self] = sum = sum + partial[self + 128];
    __syncthreads();
  }
  for (int reach = SIZE >= 128 ? 64 : SIZE / 2; reach > 0; reach /= 2) {
    if (self < reach)
      partial[self] = sum = sum + partial[self + reach];
    __syncthreads();
  }
  if (self == 0)
    out[block_x()] = sum;
}

__global__ void reduce64(const float *in, float *out, int n) { reduce_block<64>(in, out, n); }
__global__ void reduce256(const float *in, float *out, int n) { reduce_block<256>(in, out, n); }
__global__ void reduce512(const float *in, float *out, int n) { reduce_block<512>(in, out, n); }
