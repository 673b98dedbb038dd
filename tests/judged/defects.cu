// Defects of other kinds: in helper functions, in loops whose count differs, by masks, by arguments.

__device__ int warp_sum(int x) { for (int o = 16; o > 0; o /= 2) x += __shfl_xor_sync(0xffffffffu, x, o); return x; }
__device__ void wait_if(bool needed) { if (needed) __syncthreads(); }
__device__ int sum_up_to(int x, int limit) { int s = 0; for (int i = 0; i < limit; i++) s += __shfl_sync(0xffffffffu, x, i); return s; }
__device__ int mine() { return threadIdx.x; }
__device__ bool is_low(int t) { return t < 5; }
__global__ void d0(int *a, int n) { if (is_low(threadIdx.x)) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); } // error RC0201
__global__ void d1(int *a, int n) { wait_if(threadIdx.x < 5); a[threadIdx.x] = 1; __syncthreads(); } // error RC0207
__global__ void d2(int *a, int n) { if (threadIdx.x % 2) a[threadIdx.x] = warp_sum(n); } // error RC0207
__global__ void d3(int *a, int n) { a[threadIdx.x] = sum_up_to(n, threadIdx.x % 4); } // error RC0207
__global__ void d4(int *a, int n) { for (int i = 0; i < threadIdx.x % 3; i++) { a[i] = n; __syncthreads(); } __syncthreads(); } // error RC0201
__global__ void d5(int *a, int n) { int x = n; for (int i = 0; i < threadIdx.x % 3; i++) x += __shfl_xor_sync(0xffffffffu, x, 1); a[threadIdx.x] = x; } // error RC0203
__global__ void d6(int *a, int n) { int x = n; do { x += __shfl_xor_sync(0xffffffffu, x, 1); n += 1 + threadIdx.x % 2; } while (n < 40); a[threadIdx.x] = x; } // warning RC0204
__global__ void d7(int *a, int n) { int x = n; while (a[threadIdx.x] > x) { __syncthreads(); x++; } __syncthreads(); } // warning RC0202
__global__ void d8(int *a, int n) { if (threadIdx.x == 0) { if (n > 3) { __syncthreads(); } } a[threadIdx.x] = 1; __syncthreads(); } // error RC0201
__global__ void d9(int *a, int n) { threadIdx.x < 9 ? __syncthreads() : (void)0; a[threadIdx.x] = 1; __syncthreads(); } // error RC0201
__global__ void d10(int *a, int n) { bool low = threadIdx.x < 9; if (low && __any_sync(0xffffffffu, n)) a[0] = 1; } // error RC0203
__global__ void d11(int *a, int n) { if (threadIdx.x < 9) __syncwarp(); a[threadIdx.x] = 1; __syncwarp(); } // error RC0203
__global__ void d12(int *a, int n) { int lane = threadIdx.x & 31; if (lane >= 16) { a[lane] = __shfl_down_sync(0xffffffffu, n, 16); } } // error RC0203
__global__ void d13(int *a, int n) { if (threadIdx.x < 40) { a[threadIdx.x] = __ballot_sync(0xffffffffu, n); } } // error RC0203
__global__ void d14(int *a, int n) { if (threadIdx.x & 1) { a[0] = 1; __syncthreads(); } else { a[1] = 2; __syncthreads(); } } // error RC0201
__global__ void d15(int *a, int n) { int c = 0; if (threadIdx.x < 8) c = __syncthreads_count(n); a[threadIdx.x] = c; __syncthreads(); } // error RC0201
__global__ void d16(int *a, int n) { if (mine() == 3) { wait_if(true); } __syncthreads(); a[0] = 1; } // error RC0207
__global__ void d17(int *a, int n) { for (int i = threadIdx.x; i < 100; i += blockDim.x) { a[i] = __shfl_xor_sync(0xffffffffu, i, 1); } } // error RC0203
__global__ void d18(int *a, int n) { for (int i = 0; i < 10; i++) { if (i == threadIdx.x) continue; __syncthreads(); } } // error RC0201
__global__ void d19(int *a, int n) { int t = threadIdx.x; if (t < 5) { a[t] = 1; return; } a[t] = __shfl_xor_sync(0xffffffffu, n, 1); } // error RC0203
