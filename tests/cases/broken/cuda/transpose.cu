// Broken twin of transpose: threads beyond the width leave before the barrier.
#include "../../cuda/device.h"
#define TILE 32

__global__ void transpose(const float *in, float *out, int width) {
  __shared__ float tile[TILE][TILE + 1];
  int tx = thread_x(); // CAUSE
  int ty = thread_y();
  int x = block_x() * TILE + tx, y = block_y() * TILE + ty;
  if (x >= width)
    return;
  tile[ty][tx] = in[y * width + x];
  __syncthreads(); // EXPECT: RC0209 warning
  out[(block_x() * TILE + ty) * width + block_y() * TILE + tx] = tile[tx][ty];
}
