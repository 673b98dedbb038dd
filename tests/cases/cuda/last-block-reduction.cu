// Sum of a grid in one launch: the block that finishes last adds up what the others left. That it is the last is voted
// on, so that the whole block knows.
// RUN: --kernel _Z3sumPKfiPVfPiPf --grid 4 --block 64 --arg in=f32[1000]{random:210} --arg n=1000 --arg sums=f32[4] --arg finished=i32[1] --arg out=f32[1]
// TOLERANCE: out=1e-2 sums=1e-3
#include "device.h"

static __device__ float block_sum(float x, float *partial) {
  for (int by = 16; by > 0; by /= 2)
    x += __shfl_down_sync_f(ALL, x, by);
  if (lane() == 0)
    partial[thread_x() / 32] = x;
  __syncthreads();
  x = lane() < threads_x() / 32 ? partial[lane()] : 0.0f;
  for (int by = 16; by > 0; by /= 2)
    x += __shfl_down_sync_f(ALL, x, by);
  __syncthreads();
  return x;
}

__global__ void sum(const float *in, int n, volatile float *sums, int *finished, float *out) {
  __shared__ float partial[32];
  float mine = 0;
  for (int i = global_x(); i < n; i += global_threads())
    mine += in[i];
  mine = block_sum(mine, partial);
  int last = 0;
  if (thread_x() == 0) {
    sums[block_x()] = mine;
    __threadfence();
    last = atomicAdd(finished, 1) == blocks_x() - 1;
  }
  if (__syncthreads_or(last)) {
    mine = 0;
    for (int i = thread_x(); i < blocks_x(); i += threads_x())
      mine += sums[i];
    mine = block_sum(mine, partial);
    if (thread_x() == 0) {
      *out = mine;
      *finished = 0;
    }
  }
}
