// Alignment of two short sequences, by the anti-diagonals of the table.
// RUN: --kernel _Z5alignPKcS0_iiPi --grid 3 --block 128 --arg a=i8[300]{1,4,2,3,1,1,3,4,3,4,3,4,2,4,4,4,1,2,4,3,1,1,4,2,1,3,1,1,3,4,2,3,3,1,3,1,1,1,1,4,4,2,4,3,2,4,3,4,1,2,3,1,3,1,4,3,4,1,2,3,4,1,3,2,3,1,4,3,1,4,3,1,4,1,2,3,3,3,4,3,1,4,4,2,4,4,1,2,1,4,3,1,3,3,4,1,2,1,4,2,3,1,1,1,1,1,3,3,3,4,2,1,4,4,3,2,3,4,4,4,1,2,3,4,3,1,1,4,3,3,3,1,4,4,4,3,2,2,4,3,3,2,2,4,1,4,3,3,2,2,4,4,1,3,4,1,2,2,4,2,4,1,1,3,1,3,3,3,2,1,1,2,4,1,3,4,2,1,2,3,3,2,3,4,1,1,1,2,1,3,1,2,1,1,3,3,3,4,2,3,3,1,4,2,2,4,1,3,4,2,1,2,4,1,3,4,1,3,1,4,2,1,1,2,3,3,2,4,1,1,3,4,3,3,3,2,3,4,2,1,2,2,1,3,1,2,2,2,4,2,3,2,2,2,1,4,2,4,3,3,1,2,4,1,3,4,1,3,1,2,2,3,4,3,4,3,2,2,4,2,1,1,4,2,3,1,2,3,2,3,4,3,1,3,3,1,2,1,2,3} --arg b=i8[300]{4,4,3,1,4,4,4,2,4,4,1,4,1,2,3,3,2,3,4,2,4,2,1,3,2,4,4,4,2,4,4,4,4,2,2,3,2,2,1,1,4,4,1,2,1,4,2,1,1,1,4,4,2,1,1,3,4,3,2,2,4,4,3,1,3,1,4,1,2,2,3,3,3,2,2,4,1,4,4,2,3,4,3,2,3,4,1,3,1,2,2,3,3,2,3,2,3,1,4,3,1,3,1,2,1,1,4,3,2,2,3,3,2,1,4,4,4,1,1,3,4,1,1,1,3,3,4,2,2,3,3,3,1,4,4,1,4,4,3,4,1,3,1,2,4,1,1,2,4,2,4,3,2,2,1,1,1,4,4,1,4,3,2,3,4,3,2,2,4,4,3,1,3,1,3,4,1,4,1,2,1,2,4,2,2,3,2,1,4,2,2,4,4,2,4,2,3,4,1,4,3,1,4,3,3,2,1,3,3,3,1,3,3,3,2,2,4,4,3,3,4,4,2,2,1,3,1,1,2,4,4,1,4,2,3,2,4,1,1,4,3,2,3,2,4,3,3,3,4,3,2,2,1,4,3,2,1,4,3,3,1,3,2,3,4,2,4,2,4,4,3,1,2,1,4,2,1,3,3,1,1,3,4,1,2,2,3,3,2,4,2,2,4,3,4,4,3,3,3,3} --arg length=100 --arg gap=1 --arg scores=i32[3]
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
