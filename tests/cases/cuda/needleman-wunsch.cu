// Alignment of two short sequences, by the anti-diagonals of the table.
#include "device.h"
#define SIDE 128

__global__ void align(const char *a, const char *b, int length, int gap, int *scores) {
  __shared__ int before[SIDE + 1], last[SIDE + 1], now[SIDE + 1];
  int self = thread_x();
  const char *mine = a + block_x() * length, *other = b + block_x() * length;
  before[self] = last[self] = now[self] = 0;
  __syncthreads();
  for (int diagonal = 0; diagonal < 2 * length - 1; ++diagonal) {
    int column = diagonal - self;
    if (self < length && column >= 0 && column < length) {
      int corner = self > 0 && column > 0 ? before[self - 1] : -gap * (self + column);
      int best = corner + (mine[self] == other[column] ? 1 : -1);
      int up = self > 0 ? last[self - 1] - gap : best, left = column > 0 ? last[self] - gap : best;
      best = best > up ? best : up;
      now[self] = best > left ? best : left;
    }
    __syncthreads();
    before[self] = last[self];
    last[self] = now[self];
    __syncthreads();
  }
  if (self == length - 1)
    scores[block_x()] = now[self];
}
