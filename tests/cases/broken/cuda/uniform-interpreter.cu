// Broken twin of uniform-interpreter: a helper that is right when all threads give it the same word, and is not given that.
#include "../../cuda/device.h"

static __device__ __noinline__ void step(int word, int *cells, int self) {
  if (word & 1) {
    cells[self] += 1;
    __syncthreads();
  }
  cells[self] ^= word;
}

__global__ void interpret(int word, int *data) {
  int self = thread_x(); // CAUSE
  step(word, data, self);
  step(word + self, data, self); // EXPECT: RC0207 error
}
