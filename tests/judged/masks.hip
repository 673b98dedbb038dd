// Masks of HIP: 64 lanes, and each names those that execute the operation, and others.

__global__ void w0(int *a, int n) { int x = a[threadIdx.x]; if (threadIdx.x % 64 < 8) x += __shfl_xor_sync(0xffull, x, 1); a[threadIdx.x] = x; }
__global__ void w1(int *a, int n) { int x = a[threadIdx.x]; x += __shfl_xor_sync(0xffffull, x, 1); a[threadIdx.x] = x; } // warning RC0211
__global__ void w2(int *a, int n) { int x = a[threadIdx.x]; if (threadIdx.x % 64 < 8) x += __shfl_xor_sync(0xffffull, x, 1); a[threadIdx.x] = x; } // error RC0211
__global__ void w3(int *a, int n) { int x = a[threadIdx.x]; if ((threadIdx.x & 63) >= 16) x += __shfl_xor_sync(0xffffffffffff0000ull, x, 1); a[threadIdx.x] = x; }
__global__ void w4(int *a, int n) { int x = a[threadIdx.x]; if (threadIdx.x < 16) x += __shfl_down_sync(0x0000ffffull, x, 1); a[threadIdx.x] = x; }
__global__ void w5(int *a, int n) { int x = a[threadIdx.x]; if (threadIdx.x < 32) x += __shfl_down_sync(0x0000ffffull, x, 1); a[threadIdx.x] = x; } // warning RC0211
__global__ void w6(int *a, int n) { int x = a[threadIdx.x]; if (threadIdx.x & 32) x += __shfl_xor_sync(0xffffffff00000000ull, x, 1); else x += __shfl_xor_sync(0x00000000ffffffffull, x, 1); a[threadIdx.x] = x; }
__global__ void w7(int *a, int n) { int x = a[threadIdx.x]; if (threadIdx.x & 16) x += __shfl_xor_sync(0x0000ffffull, x, 1); a[threadIdx.x] = x; } // error RC0211
__global__ void w8(int *a, int n) { int x = a[threadIdx.x]; int lane = threadIdx.x % warpSize; if (lane < 4) a[0] = __ballot_sync(0xfull, x > n); }
__global__ void w9(int *a, int n) { int x = a[threadIdx.x]; if (x > n) a[0] = __ballot_sync(0xfull, x > n); }
__global__ void w10(int *a, int n) { unsigned long long all = 0xffffffffffffffffull; int x = a[threadIdx.x]; if (threadIdx.x < 16) x += __shfl_down_sync(all, x, 1); a[threadIdx.x] = x; } // error RC0203
__device__ int down(int x, unsigned long long mask = 0xffffffffffffffffull) { return __shfl_down_sync(mask, x, 1); }
__device__ int deeper(int x, unsigned long long mask) { return down(x, mask) + 1; }
__global__ void w11(int *a, int n) { int x = a[threadIdx.x]; if (threadIdx.x < 16) x += down(x); a[threadIdx.x] = x; } // error RC0207
__global__ void w12(int *a, int n) { int x = a[threadIdx.x]; if (threadIdx.x < 16) x += deeper(x, ~0ull); a[threadIdx.x] = x; } // error RC0207
__global__ void w13(int *a, int n) { int x = a[threadIdx.x]; if (threadIdx.x < 16) x += deeper(x, 0xffffull); a[threadIdx.x] = x; }
__global__ void w14(int *a, int n) { int x = a[threadIdx.x]; if (x > n) x += deeper(x, __activemask()); a[threadIdx.x] = x; }
__global__ void w15(int *a, int n) { unsigned long long mask = 0xffffffffffffffffull; if (n > 4) mask = __activemask(); int x = a[threadIdx.x]; if (threadIdx.x < 16) x += down(x, mask); a[threadIdx.x] = x; }
__global__ void w16(int *a, int n) { unsigned long long mask = 0xff00ull << 8; int x = a[threadIdx.x]; if ((threadIdx.x & 63) >= 16) x += __shfl_xor_sync(mask, x, 1); a[threadIdx.x] = x; } // error RC0211

// Masks that an earlier call made.
__global__ void w17(int *a, int n) { unsigned long long m = __activemask(); int x = a[threadIdx.x]; if (threadIdx.x & 1) x += __shfl_sync(m, x, 1); a[threadIdx.x] = x; } // error RC0211
__global__ void w18(int *a, int n) { int x = a[threadIdx.x]; if (threadIdx.x & 1) { unsigned long long m = __activemask(); x += __shfl_sync(m, x, 1); } a[threadIdx.x] = x; }
__global__ void w19(int *a, int n) { unsigned long long m = __activemask(); int x = a[threadIdx.x]; if (x > n) x += __shfl_sync(m, x, 1); a[threadIdx.x] = x; } // warning RC0211
__global__ void w20(int *a, int n) { unsigned long long m = __activemask(); int x = a[threadIdx.x]; if (n > 4) x += __shfl_sync(m, x, 1); a[threadIdx.x] = x; }
__global__ void w21(int *a, int n) { unsigned long long m = __activemask(); int x = a[threadIdx.x]; for (int i = 0; i < x; i++) x += __shfl_sync(m, x, 1); a[threadIdx.x] = x; } // warning RC0211
__global__ void w22(int *a, int n) { int x = a[threadIdx.x]; for (int i = 0; i < x; i++) { unsigned long long m = __activemask(); x += __shfl_sync(m, x, 1); } a[threadIdx.x] = x; }
__global__ void w23(int *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; unsigned long long m = __activemask(); if (i < n) a[i] = __ballot_sync(m, a[i] > 3); } // warning RC0211
__global__ void w24(int *a, int n) { unsigned long long m = __ballot_sync(0xffffffffffffffffull, threadIdx.x < 40); if (threadIdx.x < 40) a[threadIdx.x] = __shfl_xor_sync(m, a[threadIdx.x], 0); }
__global__ void w25(int *a, int n) { unsigned long long m = __ballot_sync(0xffffffffffffffffull, threadIdx.x < 40); if (threadIdx.x < 36) a[threadIdx.x] = __shfl_xor_sync(m, a[threadIdx.x], 0); } // error RC0211
__global__ void w26(int *a, int n) { int x = a[threadIdx.x]; unsigned long long m = __ballot_sync(0xffffffffffffffffull, x > 3); if (x > 3) a[threadIdx.x] = __shfl_xor_sync(m, x, 0); }
__global__ void w27(int *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; unsigned long long m = __ballot_sync(0xffffffffffffffffull, i < n); if (i < n) a[i] = __shfl_down_sync(m, a[i], 1); }
__global__ void w28(int *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; unsigned long long m = __ballot_sync(0xffffffffffffffffull, i < n); if (i >= n) return; a[i] = __shfl_down_sync(m, a[i], 1); }

// Two calls of __activemask() that are taken to agree, and one that is kept.
__global__ void w29(int *a, int *count) { if (a[threadIdx.x] > 0) { unsigned long long m = __activemask(); int leader = __ffsll(m) - 1, base = 0; if ((threadIdx.x & 63) == leader) base = atomicAdd(count, __popcll(m)); base = __shfl_sync(__activemask(), base, leader); a[threadIdx.x] = base; } } // warning RC0211
__global__ void w30(int *a, int *count) { if (a[threadIdx.x] > 0) { unsigned long long m = __activemask(); int leader = __ffsll(m) - 1, base = 0; if ((threadIdx.x & 63) == leader) base = atomicAdd(count, __popcll(m)); base = __shfl_sync(m, base, leader); a[threadIdx.x] = base; } }
__global__ void w31(int *a, int *count) { if (a[threadIdx.x] > 0) { unsigned long long m = __activemask(); int leader = __ffsll(m) - 1; int base = __shfl_sync(__activemask(), a[0], leader); a[threadIdx.x] = base; } }
__global__ void w32(int *a, int *count) { if (a[threadIdx.x] > 0) { unsigned long long m = __activemask(); int leader = __ffsll(m) - 1, base = 0; if ((threadIdx.x & 63) == leader) base = atomicAdd(count, __popcll(m)); __syncwarp(m); base = __shfl_sync(__activemask(), base, leader); a[threadIdx.x] = base; } }
__global__ void w33(int *a, int n) { unsigned long long m = 0; for (int i = 0; i < n; i++) { m = __activemask(); if (a[i] > 2) a[i] += __popcll(m); } a[threadIdx.x] = m; }

// A mask of no lane is never that of who executes the operation.
__global__ void w34(int *a, int n) { int x = a[threadIdx.x]; a[threadIdx.x] = __shfl_sync(0, x, 1); } // error RC0211
__global__ void w35(int *a, int n) { int x = a[threadIdx.x]; if (threadIdx.x < 16) x += __shfl_xor_sync(0u, x, 1); a[threadIdx.x] = x; } // error RC0211

// A wave waits for its threads, whoever they are, where no mask says who has to be there.
__global__ void w36(int *a, int n) { int x = a[threadIdx.x]; if (x > n) { a[0] = x; __syncwarp(); } }
__global__ void w37(int *a, int n) { int x = a[threadIdx.x]; if (threadIdx.x & 1) { a[0] = x; __syncwarp(~0ull); } } // error RC0203
