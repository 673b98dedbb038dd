// Broken twin of quantise: the shuffle is in one arm of a conditional expression.
#include "../../cuda/device.h"

__global__ void largest(const int *in, int *out) {
  int self = thread_x(); // CAUSE
  int x = in[self];
  int other = self < 16
                  ? __shfl_xor_sync(ALL, x, 1) // EXPECT: RC0203 error
                  : x;
  out[self] = x > other ? x : other;
}
