// One level of a breadth-first search: neighbours go to a queue of the block, which is appended to that of the grid.
#include "device.h"
#define CAPACITY 2048

__global__ void expand(const int *offsets, const int *targets, int *levels, const int *frontier, int size, int *next,
                       int *next_size, int level) {
  __shared__ int queue[CAPACITY];
  __shared__ int queued, base;
  if (thread_x() == 0)
    queued = 0;
  __syncthreads();
  int i = global_x();
  if (i < size) {
    int node = frontier[i];
    for (int edge = offsets[node]; edge < offsets[node + 1]; ++edge) {
      int target = targets[edge];
      if (atomicCAS(&levels[target], -1, level) != -1)
        continue;
      int place = atomicAdd(&queued, 1);
      if (place < CAPACITY)
        queue[place] = target;
      else
        next[atomicAdd(next_size, 1)] = target;
    }
  }
  __syncthreads();
  int count = queued < CAPACITY ? queued : CAPACITY;
  if (thread_x() == 0)
    base = atomicAdd(next_size, count);
  __syncthreads();
  for (int k = thread_x(); k < count; k += threads_x())
    next[base + k] = queue[k];
}
