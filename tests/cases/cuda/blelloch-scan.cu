// Work-efficient scan of two elements a thread: up the tree and down again, with a barrier at each level.
// RUN: --kernel _Z4scanPi --grid 2 --block 256 --arg data=i32[1024]{iota}
#include "device.h"
#define SIZE 512

__global__ void __launch_bounds__(SIZE / 2) scan(int *data) {
  __shared__ int tree[SIZE];
  int self = thread_x(), first = block_x() * SIZE;
  tree[2 * self] = data[first + 2 * self];
  tree[2 * self + 1] = data[first + 2 * self + 1];
  int offset = 1;
  for (int active = SIZE / 2; active > 0; active /= 2) {
    __syncthreads();
    if (self < active)
      tree[offset * (2 * self + 2) - 1] += tree[offset * (2 * self + 1) - 1];
    offset *= 2;
  }
  if (self == 0)
    tree[SIZE - 1] = 0;
  for (int active = 1; active < SIZE; active *= 2) {
    offset /= 2;
    __syncthreads();
    if (self < active) {
      int left = offset * (2 * self + 1) - 1, right = offset * (2 * self + 2) - 1;
      int was = tree[left];
      tree[left] = tree[right];
      tree[right] += was;
    }
  }
  __syncthreads();
  data[first + 2 * self] = tree[2 * self];
  data[first + 2 * self + 1] = tree[2 * self + 1];
}
