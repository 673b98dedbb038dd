// Threads that end before a barrier: HIP leaves it undefined.

__global__ void h0(int *a, int n) { if (threadIdx.x < 7) return; a[0] = 1; __syncthreads(); } // error RC0209
__global__ void h1(int *a, int n) { if (threadIdx.x < 7) { __syncthreads(); } } // error RC0209
__global__ void h2(int *a, int n) { if (threadIdx.x >= n) return; __syncthreads(); } // warning RC0209
__global__ void h3(int *a, int n) { if (blockIdx.x >= n) return; __syncthreads(); }
