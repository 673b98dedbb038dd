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

// Numbers of warps as signed integers, where threads wait before, and in loops that take long in many of the launches that are made up.
__global__ void s0(int *a, int n) { int t = threadIdx.x, w = t / 32; while (*(volatile int *)a != n) {} if (w != 3) __syncwarp(); a[t] = 1; }
__global__ void s1(int *a, int n) { int t = threadIdx.x; while (*(volatile int *)a != n) {} for (int i = t / 32; i < n; i += (int)blockDim.x / 32) if (i != 3) __syncwarp(); a[t] = 1; }
__global__ void s2(int *a, int n) { int t = threadIdx.x, w = (t - 7) / 32; while (*(volatile int *)a != n) {} if (w != 3) __syncwarp(); a[t] = 1; } // warning RC0204
__global__ void s3(int *a, int n) { int t = threadIdx.x, w = (5 - t) / 32; while (*(volatile int *)a != n) {} if (w != -1) __syncwarp(); a[t] = 1; } // error RC0203
__global__ void s4(int *a, int n) { int count = blockDim.x / 32, t = threadIdx.x, w = t / 32, lane = t % 32; for (int i = w; i < n; i += count) if (i != 3) { __syncwarp(); a[lane + i] = 1; } }
__global__ void s5(int *a, int n) { int count = blockDim.x / 32, t = threadIdx.x, w = t / 32, lane = t % 32; for (int i = w; i < n; i += count) if (i != lane) { __syncwarp(); a[lane + i] = 1; } } // error RC0203

// Loops by steps: up to a multiple of a warp, whole warps go on or leave.
__global__ void step0(int n, int *p) { for (int i = threadIdx.x; i < (n & ~31); i += 32) p[i] = __any_sync(~0u, p[i]); }
__global__ void step1(int n, int *p) { for (long i = threadIdx.x; i < (n & ~31); i += 64) p[i] = __any_sync(~0u, p[i]); }
__global__ void step2(int n, int *p) { int i = threadIdx.x % 32; while (true) { if (i >= (n & ~63)) break; p[i] = __any_sync(~0u, p[i]); i += 64; } }
__global__ void step3(int n, int *p) { for (int i = threadIdx.x; i < n * 32; i += 32 * 3) for (int j = i + 32; j < n * 64; j += 32) p[j] = __any_sync(~0u, p[j]); }
__global__ void step5(int n, int *p) { for (int i = threadIdx.x; i < (n & ~15); i += 32) p[i] = __any_sync(~0u, p[i]); } // warning RC0204
__global__ void step6(int n, int *p) { for (int i = threadIdx.x * 2; i < (n & ~31); i += 32) p[i] = __any_sync(~0u, p[i]); } // error RC0203
__global__ void step7(int n, int *p) { int i = threadIdx.x; for (; i < 4096; i += 32) if (p[i]) break; if (i / 32 > n) p[i] = __any_sync(~0u, p[i]); } // warning RC0204
