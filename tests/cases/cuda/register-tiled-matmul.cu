// Matrix product in which each thread computes a square of results in registers.
// RUN: --kernel _Z6matmulPKfS0_Pfiii --grid 2,2 --block 8,8 --arg a=f32[600]{random:221} --arg b=f32[800]{random:222} --arg c=f32[1200] --arg m=30 --arg n=40 --arg k=20
#include "device.h"
#define TILE 32
#define DEPTH 8
#define EACH 4

__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float left[DEPTH][TILE], right[DEPTH][TILE];
  int self = thread_y() * (TILE / EACH) + thread_x();
  int row = block_y() * TILE, column = block_x() * TILE;
  float sum[EACH][EACH] = {};
  for (int first = 0; first < k; first += DEPTH) {
    for (int i = self; i < TILE * DEPTH; i += TILE / EACH * (TILE / EACH)) {
      int r = row + i / DEPTH, c = column + i % TILE;
      int down = first + i % DEPTH, across = first + i / TILE;
      left[i % DEPTH][i / DEPTH] = r < m && down < k ? a[r * k + down] : 0;
      right[i / TILE][i % TILE] = c < n && across < k ? b[across * n + c] : 0;
    }
    __syncthreads();
    for (int d = 0; d < DEPTH; ++d)
      for (int y = 0; y < EACH; ++y)
        for (int x = 0; x < EACH; ++x)
          sum[y][x] += left[d][thread_y() * EACH + y] * right[d][thread_x() * EACH + x];
    __syncthreads();
  }
  for (int y = 0; y < EACH; ++y)
    for (int x = 0; x < EACH; ++x) {
      int r = row + thread_y() * EACH + y, q = column + thread_x() * EACH + x;
      if (r < m && q < n)
        c[r * n + q] = sum[y][x];
    }
}
