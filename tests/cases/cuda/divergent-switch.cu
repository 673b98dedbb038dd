// Dense and sparse switches with fall-through on values that differ; nobody waits in them.
#include "device.h"

static __device__ int dense(int op, int x) {
  switch (op) {
  case 0: return x + 1;
  case 1: return x * 3;
  case 2: x ^= 5; // falls through
  case 3: x <<= 1; break;
  case 4: return -x;
  case 5: x = x > 0 ? x : -x; // falls through
  default: x -= op;
  }
  return x;
}

static __device__ int sparse(int op, int x) {
  switch (op) {
  case -1000: return 0;
  case 17: x += 17; break;
  case 4096: x -= 4096; break;
  case 1 << 20: x >>= 3; break;
  }
  return x ^ op;
}

__global__ void apply(const int *ops, int *data, int n) {
  int i = global_x(), x = 0;
  if (i < n)
    x = sparse(ops[i], dense(ops[i] & 7, data[i]));
  __syncthreads();
  int votes = __ballot_sync(ALL, x > 0);
  if (i < n)
    data[i] = x + votes;
}
