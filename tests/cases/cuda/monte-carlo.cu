// Random walks with rejection sampling; then the sum of a block.
// RUN: --kernel _Z4walkjifPf --grid 2 --block 256 --arg seed=17 --arg steps=40 --arg radius=5 --arg out=f32[2]
#include "device.h"

struct generator {
  unsigned state;
  __device__ unsigned next() {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
  }
  __device__ float uniform() { return (next() >> 8) * (1.0f / 16777216); }
};

static __device__ void direction(generator &random, float &x, float &y) {
  float square;
  do {
    x = 2 * random.uniform() - 1;
    y = 2 * random.uniform() - 1;
    square = x * x + y * y;
  } while (square > 1 || square < 1e-4f);
}

__global__ void walk(unsigned seed, int steps, float radius, float *out) {
  __shared__ float partial[256];
  generator random = {seed ^ (unsigned)(global_x() * 2654435761u + 1)};
  float x = 0, y = 0;
  int taken = 0;
  while (taken < steps) {
    float dx, dy;
    direction(random, dx, dy);
    x += dx;
    y += dy;
    ++taken;
    if (x * x + y * y > radius * radius)
      break;
  }
  partial[thread_x()] = taken;
  __syncthreads();
  for (int reach = 128; reach > 0; reach /= 2) {
    if (thread_x() < reach)
      partial[thread_x()] += partial[thread_x() + reach];
    __syncthreads();
  }
  if (thread_x() == 0)
    out[block_x()] = partial[0] / 256;
}
