// Calls of functions that are marked noconvergent, and of functions that are not.
__device__ void convergent_work(int);
__device__ __attribute__((noconvergent)) void own_work(int);

__global__ void marked(int n) {
  convergent_work(n);
  own_work(n);
}
