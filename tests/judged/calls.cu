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

// The width of a shuffle that all calls pass: the whole warp, part of it, or now this and now that.
__device__ int first(int x, int width = warpSize) { return __shfl_sync(0xffffffffu, x, 0, width); }
__device__ int first_of(int x, int width = warpSize) { return __shfl_sync(0xffffffffu, x, 0, width); }
__device__ int first_of_half(int x, int width = 16) { return __shfl_sync(0xffffffffu, x, 0, width); }
__device__ int work(int *a) { int x = -1; if (threadIdx.x % 32 == 0) x = atomicAdd(a, 1); return first(x); }
__global__ void w0(int *a, int n) { for (int i = 0; i < n; i = work(a)) a[i] = __popc(__ballot_sync(0xffffffffu, a[threadIdx.x])); }
__global__ void w1(int *a, int n) { int m = __shfl_sync(0xffffffffu, a[threadIdx.x], 3, warpSize); for (int i = 0; i < m; i++) __syncwarp(); }
__global__ void w20(int *a, int n) { int m = __shfl_sync(0xffffffffu, a[threadIdx.x], 3, warpSize / 2); for (int i = 0; i < m; i++) __syncwarp(); } // warning RC0204
__global__ void w21(int *a, int n) { int m = first_of_half(a[threadIdx.x]); for (int i = 0; i < m; i++) __syncwarp(); } // warning RC0204
__global__ void w22(int *a, int n) { a[0] = first_of(a[threadIdx.x]); }
__global__ void w23(int *a, int n) { int m = first_of(a[threadIdx.x], 8); for (int i = 0; i < m; i++) __syncwarp(); } // warning RC0204
