// Full-mask operations of a warp, where only the first dimension is read.

__global__ void w0(int *a, int n) { int x = a[threadIdx.x]; if (threadIdx.x < 7) x += __shfl_xor_sync(0xffffffffu, x, 1); a[threadIdx.x] = x; } // error RC0203
__global__ void w1(int *a, int n) { int x = a[threadIdx.x]; if (threadIdx.x % 32 == 0) x += __shfl_xor_sync(0xffffffffu, x, 1); a[threadIdx.x] = x; } // error RC0203
__global__ void w2(int *a, int n) { int x = a[threadIdx.x]; if (threadIdx.x & 16) x += __shfl_xor_sync(0xffffffffu, x, 1); a[threadIdx.x] = x; } // error RC0203
__global__ void w3(int *a, int n) { int x = a[threadIdx.x]; if (threadIdx.x < 48) x += __shfl_xor_sync(0xffffffffu, x, 1); a[threadIdx.x] = x; } // error RC0203
__global__ void w4(int *a, int n) { int x = a[threadIdx.x]; if ((threadIdx.x & 31) < 5) x += __shfl_xor_sync(0xffffffffu, x, 1); a[threadIdx.x] = x; } // error RC0203
__global__ void w5(int *a, int n) { int x = a[threadIdx.x]; if (threadIdx.x % 3 == 0) x += __shfl_xor_sync(0xffffffffu, x, 1); a[threadIdx.x] = x; } // error RC0203
__global__ void w6(int *a, int n) { int x = a[threadIdx.x]; if (threadIdx.x == 64) x += __shfl_xor_sync(0xffffffffu, x, 1); a[threadIdx.x] = x; } // error RC0203
__global__ void w7(int *a, int n) { int x = a[threadIdx.x]; if (threadIdx.x % warpSize > 20) x += __shfl_xor_sync(0xffffffffu, x, 1); a[threadIdx.x] = x; } // error RC0203
__global__ void w8(int *a, int n) { int x = a[threadIdx.x]; if (threadIdx.x / 16 == 1) x += __shfl_xor_sync(0xffffffffu, x, 1); a[threadIdx.x] = x; } // error RC0203
__global__ void w9(int *a, int n) { int x = a[threadIdx.x]; if (threadIdx.x >> 4 == 2) x += __shfl_xor_sync(0xffffffffu, x, 1); a[threadIdx.x] = x; } // error RC0203
__global__ void w10(int *a, int n) { int x = a[threadIdx.x]; if (threadIdx.x < n) x += __shfl_xor_sync(0xffffffffu, x, 1); a[threadIdx.x] = x; } // warning RC0204
__global__ void w11(int *a, int n) { int x = a[threadIdx.x]; if (blockIdx.x * blockDim.x + threadIdx.x < n) x += __shfl_xor_sync(0xffffffffu, x, 1); a[threadIdx.x] = x; } // warning RC0204
__global__ void w12(int *a, int n) { int x = a[threadIdx.x]; if (a[threadIdx.x] > 3) x += __shfl_xor_sync(0xffffffffu, x, 1); a[threadIdx.x] = x; } // warning RC0204
__global__ void w13(int *a, int n) { int x = a[threadIdx.x]; if (threadIdx.x < blockDim.x / 2) x += __shfl_xor_sync(0xffffffffu, x, 1); a[threadIdx.x] = x; } // warning RC0204
__global__ void w14(int *a, int n) { int x = a[threadIdx.x]; if (threadIdx.x * 2 < n) x += __shfl_xor_sync(0xffffffffu, x, 1); a[threadIdx.x] = x; } // warning RC0204
__global__ void w15(int *a, int n) { int x = a[threadIdx.x]; if (threadIdx.x / 32 == 0) x += __shfl_xor_sync(0xffffffffu, x, 1); a[threadIdx.x] = x; }
__global__ void w16(int *a, int n) { int x = a[threadIdx.x]; if (threadIdx.x / warpSize == 2) x += __shfl_xor_sync(0xffffffffu, x, 1); a[threadIdx.x] = x; }
__global__ void w17(int *a, int n) { int x = a[threadIdx.x]; if ((threadIdx.x >> 5) % 2) x += __shfl_xor_sync(0xffffffffu, x, 1); a[threadIdx.x] = x; }
__global__ void w18(int *a, int n) { int x = a[threadIdx.x]; if (threadIdx.x < 32) x += __shfl_xor_sync(0xffffffffu, x, 1); a[threadIdx.x] = x; }
__global__ void w19(int *a, int n) { int x = a[threadIdx.x]; if (threadIdx.x < 64) x += __shfl_xor_sync(0xffffffffu, x, 1); a[threadIdx.x] = x; }
__global__ void w20(int *a, int n) { int x = a[threadIdx.x]; if ((int)threadIdx.x / 32 < n) x += __shfl_xor_sync(0xffffffffu, x, 1); a[threadIdx.x] = x; }
__global__ void w21(int *a, int n) { int x = a[threadIdx.x]; if (blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32 < n) x += __shfl_xor_sync(0xffffffffu, x, 1); a[threadIdx.x] = x; }
__global__ void w22(int *a, int n) { int x = a[threadIdx.x]; if (threadIdx.x - threadIdx.x % 32 < n) x += __shfl_xor_sync(0xffffffffu, x, 1); a[threadIdx.x] = x; }
__global__ void w23(int *a, int n) { int x = a[threadIdx.x]; if ((threadIdx.x & ~31) == 32) x += __shfl_xor_sync(0xffffffffu, x, 1); a[threadIdx.x] = x; }
__global__ void w24(int *a, int n) { int x = a[threadIdx.x]; if (n == 3) x += __shfl_xor_sync(0xffffffffu, x, 1); a[threadIdx.x] = x; }
__global__ void w25(int *a, int n) { int x = a[threadIdx.x]; if (__any_sync(0xffffffffu, threadIdx.x < n)) x += __shfl_xor_sync(0xffffffffu, x, 1); a[threadIdx.x] = x; }
__global__ void w26(int *a, int n) { int x = a[threadIdx.x]; if (__ballot_sync(0xffffffffu, threadIdx.x < n) != 0) x += __shfl_xor_sync(0xffffffffu, x, 1); a[threadIdx.x] = x; }
