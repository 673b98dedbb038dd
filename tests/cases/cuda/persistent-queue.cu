// Warps that fetch work until there is none; each leaves on its own, and nothing waits for all of them.
// RUN: --kernel _Z4workPKiiPiS1_ --grid 2 --block 64 --arg jobs=i32[200]{0,3,10,40,5,0,20,100,60,33,7,1,30,64,186*11} --arg count=7 --arg next=i32[1] --arg out=i32[7]
#include "device.h"

__global__ void work(const int *jobs, int count, int *next, int *out) {
  for (;;) {
    int job = 0;
    if (lane() == 0)
      job = atomicAdd(next, 1);
    job = __shfl_sync(ALL, job, 0);
    if (job >= count)
      return;
    int length = jobs[2 * job + 1], sum = 0;
    for (int i = lane(); i < length; i += 32)
      sum += jobs[jobs[2 * job] + i];
    for (int by = 16; by > 0; by /= 2)
      sum += __shfl_xor_sync(ALL, sum, by);
    if (lane() == 0)
      out[job] = sum;
    // Without this, the first lane's way from here to the next fetch becomes a loop of its own.
    __syncwarp(ALL);
  }
}
