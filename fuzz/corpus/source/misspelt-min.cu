__global__ void k(int *p) {
  p[0] = miin(p[1], 2);
  __syncthreads();
}
