// Connected components: hooking with path halving; threads retry on their own.
#include "device.h"

static __device__ int root_of(volatile int *parent, int node) {
  while (parent[node] != node) {
    int up = parent[parent[node]];
    parent[node] = up;
    node = up;
  }
  return node;
}

__global__ void unite(int *parent, const int *from, const int *to, int edges) {
  int e = global_x();
  if (e >= edges)
    return;
  int a = from[e], b = to[e];
  while (true) {
    a = root_of(parent, a);
    b = root_of(parent, b);
    if (a == b)
      return;
    if (a < b) {
      int swap = a;
      a = b;
      b = swap;
    }
    int found = atomicCAS(&parent[a], a, b);
    if (found == a)
      return;
    a = found;
  }
}

__global__ void flatten(int *parent, int nodes) {
  for (int i = global_x(); i < nodes; i += global_threads())
    parent[i] = root_of(parent, i);
}
