// Broken twin of block-scan: only the threads that have an element call the helper.
#include "../../cuda/device.h"

static __device__ __noinline__ int warp_scan(int x) {
  for (int by = 1; by < 32; by *= 2) {
    int other = __shfl_up_sync(ALL, x, by);
    if (lane() >= by)
      x += other;
  }
  return x;
}

__global__ void scan(const int *in, int *out, int n) {
  int i = block_x() * 32
          + thread_x(); // CAUSE
  if (i < n) {
    int x = in[i];
    out[i] = warp_scan(x); // EXPECT: RC0208 warning
  }
}
