// Sparse matrix times vector: a block per row, chunk by chunk, the bounds of the row being the same for all of it.
// RUN: --kernel _Z4spmvPKiS0_PKfS2_Pf --grid 4 --block 128 --arg rows=i32{0,200,200,203,330} --arg columns=i32[330]{iota} --arg values=f32[330]{random:203} --arg x=f32[330]{random:204} --arg y=f32[4]
// TOLERANCE: y=1e-4
#include "device.h"

__global__ void spmv(const int *__restrict__ rows, const int *__restrict__ columns, const float *__restrict__ values,
                     const float *__restrict__ x, float *y) {
  __shared__ float products[128];
  int row = block_x(), self = thread_x();
  float sum = 0;
  for (int first = rows[row]; first < rows[row + 1]; first += 128) {
    int at = first + self;
    products[self] = at < rows[row + 1] ? values[at] * x[columns[at]] : 0;
    __syncthreads();
    for (int reach = 64; reach > 0; reach /= 2) {
      if (self < reach)
        products[self] += products[self + reach];
      __syncthreads();
    }
    sum += products[0];
    __syncthreads();
  }
  if (self == 0)
    y[row] = sum;
}
