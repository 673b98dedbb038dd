// Exclusive prefix sum of a block: a scan in each warp, one of the warps' sums, and both added.
// RUN: --kernel _Z10block_scanPKiPiS1_i --grid 3 --block 128 --arg in=i32[350]{iota} --arg out=i32[350] --arg totals=i32[3] --arg n=350
#include "device.h"

static __device__ int warp_scan(int x) {
  for (int by = 1; by < 32; by *= 2) {
    int other = __shfl_up_sync(ALL, x, by);
    if (lane() >= by)
      x += other;
  }
  return x;
}

__global__ void block_scan(const int *in, int *out, int *totals, int n) {
  __shared__ int sums[32];
  int i = global_x(), warp = thread_x() / 32;
  int x = i < n ? in[i] : 0;
  int upto = warp_scan(x);
  if (lane() == 31)
    sums[warp] = upto;
  __syncthreads();
  // Every warp scans the sums, so nobody has to wait for one of them.
  int sum = warp_scan(lane() < threads_x() / 32 ? sums[lane()] : 0);
  int before = __shfl_sync(ALL, sum, warp > 0 ? warp - 1 : 0);
  if (warp > 0)
    upto += before;
  if (i < n)
    out[i] = upto - x;
  if (thread_x() == threads_x() - 1)
    totals[block_x()] = upto;
}
