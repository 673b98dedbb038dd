// Distances in a small graph, relaxed by one block until a vote says that nothing changed.
#include "device.h"

__global__ void relax(const int *from, const int *to, const int *length, int edges, int *distance, int nodes) {
  __shared__ int best[1024];
  for (int node = thread_x(); node < nodes; node += threads_x())
    best[node] = distance[node];
  __syncthreads();
  bool changed = true;
  while (__syncthreads_or(changed)) {
    changed = false;
    for (int e = thread_x(); e < edges; e += threads_x()) {
      int through = best[from[e]];
      if (through == 0x7fffffff)
        continue;
      int candidate = through + length[e];
      if (candidate < atomicMin(&best[to[e]], candidate))
        changed = true;
    }
  }
  for (int node = thread_x(); node < nodes; node += threads_x())
    distance[node] = best[node];
}
