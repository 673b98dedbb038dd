// Fast Fourier transform of a block in shared memory, two points a thread.
#include "device.h"

struct complex {
  float re, im;
};

static __device__ complex operator+(complex a, complex b) { return {a.re + b.re, a.im + b.im}; }
static __device__ complex operator-(complex a, complex b) { return {a.re - b.re, a.im - b.im}; }
static __device__ complex operator*(complex a, complex b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

__global__ void fft(complex *data, const complex *roots, int bits) {
  extern __shared__ complex points[];
  int self = thread_x(), size = 1 << bits, first = block_x() * size;
  for (int half = 0; half < 2; ++half) {
    int from = self + half * (size / 2), to = __builtin_bitreverse32(from) >> (32 - bits);
    points[to] = data[first + from];
  }
  for (int span = 1; span < size; span *= 2) {
    __syncthreads();
    int within = self & (span - 1), low = 2 * (self - within) + within;
    complex a = points[low], b = points[low + span] * roots[within * (size / 2 / span)];
    points[low] = a + b;
    points[low + span] = a - b;
  }
  __syncthreads();
  data[first + self] = points[self];
  data[first + self + size / 2] = points[self + size / 2];
}
