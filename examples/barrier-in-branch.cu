// Each block adds up its positive elements. Threads whose element is not positive never reach the barrier.
__global__ void positive_sums(const float *x, float *sums, int n) {
  __shared__ float part[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = 0;
  if (i < n && x[i] > 0) {
    part[threadIdx.x] = x[i];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    float sum = 0;
    for (int k = 0; k < blockDim.x; k++)
      sum += part[k];
    sums[blockIdx.x] = sum;
  }
}
