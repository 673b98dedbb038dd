// Barriers in branches: defects, what depends on the launch, and what is the same in all threads.

__global__ void b0(int *a, int n) { if (threadIdx.x < 7) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); } // error RC0201
__global__ void b1(int *a, int n) { if (threadIdx.x == 0) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); } // error RC0201
__global__ void b2(int *a, int n) { if (threadIdx.x != 3) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); } // error RC0201
__global__ void b3(int *a, int n) { if (threadIdx.x % 2) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); } // error RC0201
__global__ void b4(int *a, int n) { if (threadIdx.x & 1) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); } // error RC0201
__global__ void b5(int *a, int n) { if (threadIdx.x / 32 == 0) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); } // error RC0201
__global__ void b6(int *a, int n) { if ((threadIdx.x >> 5) == 1) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); } // error RC0201
__global__ void b7(int *a, int n) { if (threadIdx.x / warpSize < 2) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); } // error RC0201
__global__ void b8(int *a, int n) { if (threadIdx.x % 32 == 0) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); } // error RC0201
__global__ void b9(int *a, int n) { if (threadIdx.x % warpSize < 16) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); } // error RC0201
__global__ void b10(int *a, int n) { if (threadIdx.x < blockDim.x / 2) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); } // error RC0201
__global__ void b11(int *a, int n) { if (threadIdx.x >= blockDim.x - 1) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); } // error RC0201
__global__ void b12(int *a, int n) { if ((threadIdx.x ^ 1) < threadIdx.x) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); } // error RC0201
__global__ void b13(int *a, int n) { if (threadIdx.x * 3 % 5 == 1) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); } // error RC0201
__global__ void b14(int *a, int n) { if (threadIdx.x == n) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); } // error RC0201
__global__ void b15(int *a, int n) { if ((threadIdx.x + n) % 2 == 0) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); } // error RC0201
__global__ void b16(int *a, int n) { if (threadIdx.x < n) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); } // warning RC0202
__global__ void b17(int *a, int n) { if (blockIdx.x * blockDim.x + threadIdx.x < n) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); } // warning RC0202
__global__ void b18(int *a, int n) { if (threadIdx.x + blockIdx.x * blockDim.x >= n) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); } // warning RC0202
__global__ void b19(int *a, int n) { if (threadIdx.x % n == 0) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); } // warning RC0202
__global__ void b20(int *a, int n) { if (threadIdx.x < a[0]) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); } // warning RC0202
__global__ void b21(int *a, int n) { if (a[threadIdx.x] > 0) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); } // warning RC0202
__global__ void b22(int *a, int n) { if (threadIdx.x <= n) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); } // warning RC0202
__global__ void b23(int *a, int n) { if (n - threadIdx.x > 5) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); } // warning RC0202
__global__ void b24(int *a, int n) { if (n > 4) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); }
__global__ void b25(int *a, int n) { if (blockIdx.x == 0) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); }
__global__ void b26(int *a, int n) { if ((threadIdx.x + blockDim.x) / blockDim.x == 1) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); }
__global__ void b27(int *a, int n) { if (threadIdx.x < blockDim.x) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); }
__global__ void b28(int *a, int n) { if (threadIdx.x / blockDim.x == 0) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); }
__global__ void b29(int *a, int n) { if (threadIdx.x - threadIdx.x == 0) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); }
__global__ void b30(int *a, int n) { if (blockDim.x % 32 == 0) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); }
__global__ void b31(int *a, int n) { if (gridDim.x > n) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); }
__global__ void b32(int *a, int n) { if (a == nullptr) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); }
__global__ void b33(int *a, int n) { if ((threadIdx.x | 1) != 0) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); }
__global__ void b34(int *a, int n) { if (threadIdx.x % blockDim.x == threadIdx.x) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); }
__global__ void b35(int *a, int n) { if ((threadIdx.x + 2 * blockDim.x) / blockDim.x * blockDim.x == 2 * blockDim.x) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); }
__global__ void b36(int *a, int n) { if (min(threadIdx.x, blockDim.x) == threadIdx.x) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); }
