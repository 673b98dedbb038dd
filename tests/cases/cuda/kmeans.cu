// Assignment and new sums of k-means; the centres pass through shared memory in chunks.
// RUN: --kernel _Z6assignPKfiS0_iPiPfS1_ --grid 2 --block 64 --arg points=f32[400]{random:208} --arg n=100 --arg centres=f32[280]{random:209} --arg k=70 --arg label=i32[100] --arg sums=f32[280] --arg counts=i32[70]
// TOLERANCE: sums=1e-4
#include "device.h"
#define CHUNK 64
#define DIMENSIONS 4

__global__ void assign(const float *points, int n, const float *centres, int k, int *label, float *sums, int *counts) {
  __shared__ float block[CHUNK][DIMENSIONS];
  int i = global_x(), best = 0;
  float nearest = 1e30f, mine[DIMENSIONS];
  for (int d = 0; d < DIMENSIONS; ++d)
    mine[d] = i < n ? points[i * DIMENSIONS + d] : 0;
  for (int first = 0; first < k; first += CHUNK) {
    int here = k - first < CHUNK ? k - first : CHUNK;
    for (int at = thread_x(); at < here * DIMENSIONS; at += threads_x())
      block[at / DIMENSIONS][at % DIMENSIONS] = centres[first * DIMENSIONS + at];
    __syncthreads();
    for (int c = 0; c < here; ++c) {
      float distance = 0;
      for (int d = 0; d < DIMENSIONS; ++d) {
        distance += (mine[d] - block[c][d]) * (mine[d] - block[c][d]);
        if (distance > nearest)
          break;
      }
      if (distance < nearest) {
        nearest = distance;
        best = first + c;
      }
    }
    __syncthreads();
  }
  if (i >= n)
    return;
  label[i] = best;
  atomicAdd(&counts[best], 1);
  for (int d = 0; d < DIMENSIONS; ++d)
    atomicAdd_f(&sums[best * DIMENSIONS + d], mine[d]);
}
