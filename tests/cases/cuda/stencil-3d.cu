// Seven-point stencil that marches through the planes of a volume; all threads march, those outside compute nothing.
// RUN: --kernel _Z7stencilPKfPfiii --grid 1,1 --block 16,16 --arg in=f32[1536]{random:223} --arg out=f32[1536] --arg width=16 --arg height=16 --arg depth=6
#include "device.h"
#define SIDE 16

__global__ void stencil(const float *in, float *out, int width, int height, int depth) {
  __shared__ float plane[SIDE + 2][SIDE + 2];
  int x = global_x(), y = global_y(), tx = thread_x() + 1, ty = thread_y() + 1;
  bool inside = x > 0 && y > 0 && x < width - 1 && y < height - 1;
  int at = y * width + x, stride = width * height;
  float below = 0, here = inside ? in[at] : 0, above = inside && depth > 1 ? in[at + stride] : 0;
  for (int z = 1; z < depth - 1; ++z) {
    at += stride;
    below = here;
    here = above;
    above = inside ? in[at + stride] : 0;
    __syncthreads();
    plane[ty][tx] = here;
    if (inside) {
      if (tx == 1)
        plane[ty][0] = in[at - 1];
      if (tx == SIDE)
        plane[ty][SIDE + 1] = in[at + 1];
      if (ty == 1)
        plane[0][tx] = in[at - width];
      if (ty == SIDE)
        plane[SIDE + 1][tx] = in[at + width];
    }
    __syncthreads();
    if (!inside)
      continue;
    out[at] = here + 0.1f * (below + above + plane[ty][tx - 1] + plane[ty][tx + 1] + plane[ty - 1][tx] +
                             plane[ty + 1][tx] - 6 * here);
  }
}
