// One atomic addition for all threads of a warp that are here, whoever they are: the masks name them.
// RUN: --kernel _Z6filterPKiiPiS1_ --grid 1 --block 32 --arg in=i32[30]{random:229} --arg n=30 --arg out=i32[32] --arg count=i32[1]
// RUN: --kernel _Z9histogramPKiiPi --grid 2 --block 64 --arg in=i32[300]{random:230} --arg n=300 --arg bins=i32[256]
#include "device.h"

static __device__ int reserve(int *counter) {
  unsigned here = __activemask();
  int leader = __ffs(here) - 1, before = __popc(here & ((1u << lane()) - 1));
  int base = 0;
  if (before == 0)
    base = atomicAdd(counter, __popc(here));
  return __shfl_sync(here, base, leader) + before;
}

__global__ void filter(const int *in, int n, int *out, int *count) {
  int i = global_x();
  if (i < n && in[i] > 0)
    out[reserve(count)] = in[i];
}

__global__ void histogram(const int *in, int n, int *bins) {
  for (int first = block_x() * threads_x(); first < n; first += global_threads()) {
    int i = first + thread_x();
    int bin = i < n ? in[i] & 255 : -1;
    unsigned same = __match_any_sync(ALL, bin);
    if (bin >= 0 && lane() == __ffs(same) - 1)
      atomicAdd(&bins[bin], __popc(same));
  }
}
