// Broken twin of ballot-compaction: what a warp has voted, other warps may have voted otherwise.
#include "../../cuda/device.h"

__global__ void compact(const int *in, int *out) {
  __shared__ int base[32];
  int i = global_x();
  unsigned votes = __ballot_sync(ALL, in[i] > 0); // CAUSE
  base[thread_x() / 32] = __popc(votes);
  if (votes != 0) {
    out[i] = 1;
    __syncthreads(); // EXPECT: RC0202 warning
  }
  out[i] += base[0];
}
