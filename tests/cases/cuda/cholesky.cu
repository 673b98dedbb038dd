// Factorisation of one tile, column by column.
// RUN: --kernel _Z8choleskyPf --grid 1 --block 32,32 --arg tiles=f32[1024]{40,32*0.5,40,32*0.5,40,32*0.5,40,32*0.5,40,32*0.5,40,32*0.5,40,32*0.5,40,32*0.5,40,32*0.5,40,32*0.5,40,32*0.5,40,32*0.5,40,32*0.5,40,32*0.5,40,32*0.5,40,32*0.5,40,32*0.5,40,32*0.5,40,32*0.5,40,32*0.5,40,32*0.5,40,32*0.5,40,32*0.5,40,32*0.5,40,32*0.5,40,32*0.5,40,32*0.5,40,32*0.5,40,32*0.5,40,32*0.5,40,32*0.5,40}
// TOLERANCE: tiles=4ulp
#include "device.h"
#define N 32

__global__ void cholesky(float *tiles) {
  __shared__ float a[N][N + 1];
  int x = thread_x(), y = thread_y();
  float *tile = tiles + block_x() * N * N;
  a[y][x] = tile[y * N + x];
  __syncthreads();
  for (int k = 0; k < N; ++k) {
    if (x == k && y == k)
      a[k][k] = sqrtf(a[k][k]);
    __syncthreads();
    if (x == k && y > k)
      a[y][k] /= a[k][k];
    __syncthreads();
    if (x > k && y >= x)
      a[y][x] -= a[y][k] * a[x][k];
    __syncthreads();
  }
  tile[y * N + x] = x <= y ? a[y][x] : 0;
}
