// Broken twin of radix-sort-block: the helper that votes is called by the threads whose key has the bit.
#include "../../cuda/device.h"

static __device__ __noinline__ int rank(bool vote) {
  unsigned votes = __ballot_sync(ALL, vote);
  return __popc(votes & ((1u << lane()) - 1));
}

__global__ void ranks(const unsigned *keys, int *out, int bit) {
  int i = global_x(), place = 0;
  unsigned key = keys[i]; // CAUSE
  if (key >> bit & 1)
    place = rank(true); // EXPECT: RC0208 warning
  out[i] = place;
}
