// Transpose through a padded tile; blocks on the diagonal have a shorter way.
// RUN: --kernel _Z9transposePfi --grid 2,2 --block 32,8 --arg data=f32[4096]{random:228} --arg width=64
#include "device.h"
#define TILE 32
#define ROWS 8

__global__ void transpose(float *data, int width) {
  __shared__ float upper[TILE][TILE + 1], lower[TILE][TILE + 1];
  int x = thread_x(), y = thread_y(), bx = block_x() * TILE, by = block_y() * TILE;
  if (block_x() < block_y())
    return;
  for (int row = y; row < TILE; row += ROWS)
    upper[row][x] = data[(by + row) * width + bx + x];
  if (bx != by) {
    for (int row = y; row < TILE; row += ROWS)
      lower[row][x] = data[(bx + row) * width + by + x];
    __syncthreads();
    for (int row = y; row < TILE; row += ROWS) {
      data[(bx + row) * width + by + x] = upper[x][row];
      data[(by + row) * width + bx + x] = lower[x][row];
    }
  } else {
    __syncthreads();
    for (int row = y; row < TILE; row += ROWS)
      data[(by + row) * width + bx + x] = upper[x][row];
  }
}
