// Insertion into and lookup in an open hash table; threads probe as long as they have to.
// RUN: --kernel _Z6lookupPKiS0_iS0_Pii --grid 1 --block 64 --arg keys=i32{-1,-1,8584,9695,5120,5469,9453,8008,5372,2177,20,2616,-1,949,-1,-1,4821,-1,2102,7553,-1,-1,-1,-1,5569,-1,-1,-1,-1,8589,4622,6070,2611,6794,4729,6895,-1,538,4623,18,-1,-1,8542,9894,9919,8103,-1,-1,3190,9464,7886,7987,6841,9691,-1,-1,-1,-1,233,6883,8277,8832,-1,4749} --arg values=i32{0,0,85,8,169,57,253,22,232,78,267,162,0,64,0,0,99,0,120,204,0,0,0,0,211,0,0,0,0,218,43,113,246,106,71,190,0,141,183,148,0,0,29,36,50,260,0,0,134,1,15,155,176,197,0,0,0,0,239,92,225,274,0,127} --arg capacity=64 --arg wanted=i32{7630,708,9464,9919,2769,8312,6841,6307,4821,166,6794,8277,8103,4622,20,9691,1009,8694,2416,7553,8584,7553,7691,5372,8832,9900,3349,9691,3299,5570,233,9894,6841,6895,8584,6370,9919,3079,6841,2414,9695,5372,4370,3813,6818,9187,7265,3320,6070,757,233,2640,4622,7095,949,2984,949,1720,9011,538} --arg out=i32[60] --arg n=60
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
