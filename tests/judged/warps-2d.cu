// Full-mask operations of a warp in workgroups of two dimensions.

__global__ void t0(int *a, int n) { int x = a[threadIdx.x]; if (threadIdx.y < n) x += __shfl_xor_sync(0xffffffffu, x, 1); a[threadIdx.x] = x; } // warning RC0204
__global__ void t1(int *a, int n) { int x = a[threadIdx.x]; if (threadIdx.y == 0) x += __shfl_xor_sync(0xffffffffu, x, 1); a[threadIdx.x] = x; } // warning RC0204
__global__ void t2(int *a, int n) { int x = a[threadIdx.x]; if (blockIdx.x * blockDim.y + threadIdx.y >= n) return; x += __shfl_xor_sync(0xffffffffu, x, 1); a[threadIdx.x] = x; } // warning RC0204
__global__ void t3(int *a, int n) { int x = a[threadIdx.x], t = threadIdx.y * blockDim.x + threadIdx.x; if (t / 32 == 0) x += __shfl_xor_sync(0xffffffffu, x, 1); a[t] = x; }
__global__ void t4(int *a, int n) { int x = a[threadIdx.x], t = threadIdx.y * blockDim.x + threadIdx.x; if (t / warpSize < n) x += __shfl_xor_sync(0xffffffffu, x, 1); a[t] = x; }
__global__ void t5(int *a, int n) { int x = a[threadIdx.x], t = threadIdx.y * blockDim.x + threadIdx.x; if (t % 32 == 0) x += __shfl_xor_sync(0xffffffffu, x, 1); a[t] = x; } // error RC0203
__global__ void __launch_bounds__(256) t6(int *a, int n) { if (threadIdx.x < 256) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); }
__global__ void t7(int *a, int n) { if (threadIdx.y == 0) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); } // error RC0201
__global__ void t8(int *a, int n) { int t = threadIdx.y * blockDim.x + threadIdx.x; if (t < 7) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); } // error RC0201
__global__ void t9(int *a, int n) { int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; int x = a[t]; if (t / 32 == 1) x += __shfl_xor_sync(0xffffffffu, x, 1); a[t] = x; }
