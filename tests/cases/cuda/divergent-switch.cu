// Dense and sparse switches with fall-through on values that differ; nobody waits in them.
// ONLY: pocl because Oclgrind takes the wrong case of a switch
// RUN: --kernel _Z5applyPKiPii --grid 2 --block 64 --arg ops=i32[120]{-1000,1048576,4096,2*1,4,4096,2,2*-1000,2*2,4096,2*17,2*0,5,2*17,2*1,2*3,2*4096,2*3,-1000,2*-1000,2*2,4,2*1,2*5,3,7,5,17,3,2*4,2*4,2*3,5,2*0,2,1048576,2*4,2*4096,2*0,0,2*0,17,7,2*3,7,17,2*-1000,7,2*0,2*6,2*4096,6,3,2*1048576,7,6,2*17,2,2*4096,2,2*4096,2*5,4,2*3,2*3,2*0,2*2,17,2*4,6,2*1,17,2*0,2*17,2*7,0,2*4,3} --arg data=i32[120]{iota} --arg n=120
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
