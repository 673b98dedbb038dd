// Broken twin of needleman-wunsch: threads that are not on the diagonal go on to the next one.
#include "../../cuda/device.h"
#define SIDE 128

__global__ void align(const char *a, const char *b, int length, int *scores) {
  __shared__ int last[SIDE + 1];
  int self = thread_x(); // CAUSE
  last[self] = 0;
  for (int diagonal = 0; diagonal < 2 * length - 1; ++diagonal) {
    int column = diagonal - self;
    if (column < 0)
      continue;
    if (column >= length)
      continue;
    last[self] += a[self] == b[column] ? 1 : -1;
    __syncthreads(); // EXPECT: RC0201 error
  }
  scores[self] = last[self];
}
