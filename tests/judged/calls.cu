// Conditions and operations behind calls.

__device__ int twice(int x) { return x * 2; }
__device__ int mine() { return threadIdx.x; }
__device__ int warp() { return threadIdx.x / 32; }
__device__ void wait() { __syncthreads(); }
__device__ int sum(int x) { return x + __shfl_xor_sync(0xffffffffu, x, 16); }
__global__ void f0(int *a, int n) { if (twice(n) > 4) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); }
__global__ void f1(int *a, int n) { if (twice(threadIdx.x) > 4) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); } // error RC0201
__global__ void f2(int *a, int n) { if (mine() > 4) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); } // error RC0201
__global__ void f3(int *a, int n) { if (mine() > n) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); } // warning RC0202
__global__ void f4(int *a, int n) { if (warp() > 1) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); } // error RC0201
__global__ void f5(int *a, int n) { int x = n; if (warp() > 1) x = sum(x); a[threadIdx.x] = x; }
__global__ void f6(int *a, int n) { int x = n; if (mine() > 1) x = sum(x); a[threadIdx.x] = x; } // error RC0207
__global__ void f7(int *a, int n) { if (threadIdx.x < 9) wait(); a[threadIdx.x] = 1; __syncthreads(); } // error RC0207
__global__ void f8(int *a, int n) { if (n < 9) wait(); a[threadIdx.x] = 1; __syncthreads(); }
__global__ void f9(int *a, int n) { if (threadIdx.x < n) wait(); a[threadIdx.x] = 1; __syncthreads(); } // warning RC0208
