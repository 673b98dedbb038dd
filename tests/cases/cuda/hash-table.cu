// Insertion into and lookup in an open hash table; threads probe as long as they have to.
#include "device.h"
#define EMPTY (-1)

static __device__ unsigned hash(unsigned key) {
  key ^= key >> 16;
  key *= 0x85ebca6bu;
  key ^= key >> 13;
  return key;
}

__global__ void insert(int *keys, int *values, int capacity, const int *new_keys, const int *new_values, int n) {
  for (int i = global_x(); i < n; i += global_threads()) {
    int key = new_keys[i];
    for (unsigned slot = hash(key) % capacity;; slot = (slot + 1) % capacity) {
      int found = atomicCAS(&keys[slot], EMPTY, key);
      if (found == EMPTY || found == key) {
        atomicExch(&values[slot], new_values[i]);
        break;
      }
    }
  }
}

__global__ void lookup(const int *keys, const int *values, int capacity, const int *wanted, int *out, int n) {
  int i = global_x();
  if (i >= n)
    return;
  unsigned slot = hash(wanted[i]) % capacity;
  while (true) {
    if (keys[slot] == wanted[i]) {
      out[i] = values[slot];
      return;
    }
    if (keys[slot] == EMPTY)
      break;
    slot = (slot + 1) % capacity;
  }
  out[i] = EMPTY;
}
