// Threads that end before a barrier.

__global__ void e0(int *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; a[i] = 1; __syncthreads(); a[i] = 2; } // warning RC0209
__global__ void e1(int *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) { a[i] = 1; __syncthreads(); a[i] = 2; } } // warning RC0209
__global__ void e2(int *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (threadIdx.x < 7) return; __syncthreads(); a[i] = 2; } // warning RC0209
__global__ void e3(int *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (threadIdx.x >= 7) return; __syncthreads(); a[i] = 2; __syncthreads(); } // warning RC0209
__global__ void e4(int *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; for (; i < n; i += blockDim.x * gridDim.x) { a[i] = 1; __syncthreads(); } } // warning RC0209
__global__ void e5(int *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; while (i < n) { __syncthreads(); a[i] = 1; i += 1024; } } // warning RC0209
__global__ void e6(int *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; if (n > 5) __syncthreads(); a[i] = 1; } // warning RC0209
__global__ void e7(int *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; for (int j = 0; j < n; j++) { __syncthreads(); a[j] = i; } } // warning RC0209
__global__ void e8(int *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (threadIdx.x < 7) { __syncthreads(); return; } __syncthreads(); } // error RC0201
__global__ void e9(int *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (n < 7) return; __syncthreads(); }
__global__ void e10(int *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (blockIdx.x > 3) return; __syncthreads(); a[i] = 1; }
__global__ void e11(int *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (n == 0) { a[0] = 1; return; } for (int j = 0; j < n; j++) { a[i] = j; __syncthreads(); } }
