// Masks that name some lanes: those that execute the operation, and others.

__global__ void m0(int *a, int n) { int x = a[threadIdx.x]; if (threadIdx.x % 32 < 8) x += __shfl_xor_sync(0xffu, x, 1); a[threadIdx.x] = x; }
__global__ void m1(int *a, int n) { int x = a[threadIdx.x]; x += __shfl_xor_sync(0xffffu, x, 1); a[threadIdx.x] = x; } // warning RC0211
__global__ void m2(int *a, int n) { int x = a[threadIdx.x]; if (threadIdx.x % 32 < 8) x += __shfl_xor_sync(0xffffu, x, 1); a[threadIdx.x] = x; } // error RC0211
__global__ void m3(int *a, int n) { int x = a[threadIdx.x]; if ((threadIdx.x & 31) >= 16) x += __shfl_xor_sync(0xffff0000u, x, 1); a[threadIdx.x] = x; }
__global__ void m4(int *a, int n) { int x = a[threadIdx.x]; if (threadIdx.x < 16) x += __shfl_down_sync(0x0000ffffu, x, 1); a[threadIdx.x] = x; }
__global__ void m5(int *a, int n) { int x = a[threadIdx.x]; if (threadIdx.x < 32) x += __shfl_down_sync(0x0000ffffu, x, 1); a[threadIdx.x] = x; } // warning RC0211
__global__ void m6(int *a, int n) { int x = a[threadIdx.x]; if (threadIdx.x & 16) x += __shfl_xor_sync(0xffff0000u, x, 1); else x += __shfl_xor_sync(0x0000ffffu, x, 1); a[threadIdx.x] = x; }
__global__ void m7(int *a, int n) { int x = a[threadIdx.x]; if (threadIdx.x & 16) x += __shfl_xor_sync(0x0000ffffu, x, 1); a[threadIdx.x] = x; } // error RC0211
__global__ void m8(int *a, int n) { int x = a[threadIdx.x]; int lane = threadIdx.x % warpSize; if (lane < 4) a[0] = __ballot_sync(0xfu, x > n); }
__global__ void m9(int *a, int n) { int x = a[threadIdx.x]; if (x > n) a[0] = __ballot_sync(0xfu, x > n); }
__global__ void m10(int *a, int n) { unsigned all = 0xffffffffu; int x = a[threadIdx.x]; if (threadIdx.x < 16) x += __shfl_down_sync(all, x, 1); a[threadIdx.x] = x; } // error RC0203
__device__ int down(int x, unsigned mask = 0xffffffffu) { return __shfl_down_sync(mask, x, 1); }
__device__ int deeper(int x, unsigned mask) { return down(x, mask) + 1; }
__global__ void m11(int *a, int n) { int x = a[threadIdx.x]; if (threadIdx.x < 16) x += down(x); a[threadIdx.x] = x; } // error RC0207
__global__ void m12(int *a, int n) { int x = a[threadIdx.x]; if (threadIdx.x < 16) x += deeper(x, ~0u); a[threadIdx.x] = x; } // error RC0207
__global__ void m13(int *a, int n) { int x = a[threadIdx.x]; if (threadIdx.x < 16) x += deeper(x, 0xffffu); a[threadIdx.x] = x; }
__global__ void m14(int *a, int n) { int x = a[threadIdx.x]; if (x > n) x += deeper(x, __activemask()); a[threadIdx.x] = x; }
__global__ void m15(int *a, int n) { unsigned mask = 0xffffffffu; if (n > 4) mask = __activemask(); int x = a[threadIdx.x]; if (threadIdx.x < 16) x += down(x, mask); a[threadIdx.x] = x; }
__global__ void m16(int *a, int n) { unsigned mask = 0xff00u << 8; int x = a[threadIdx.x]; if ((threadIdx.x & 31) >= 16) x += __shfl_xor_sync(mask, x, 1); a[threadIdx.x] = x; } // error RC0211

// Masks that an earlier call made.
__global__ void m17(int *a, int n) { unsigned m = __activemask(); int x = a[threadIdx.x]; if (threadIdx.x & 1) x += __shfl_sync(m, x, 1); a[threadIdx.x] = x; } // error RC0211
__global__ void m18(int *a, int n) { int x = a[threadIdx.x]; if (threadIdx.x & 1) { unsigned m = __activemask(); x += __shfl_sync(m, x, 1); } a[threadIdx.x] = x; }
__global__ void m19(int *a, int n) { unsigned m = __activemask(); int x = a[threadIdx.x]; if (x > n) x += __shfl_sync(m, x, 1); a[threadIdx.x] = x; } // warning RC0211
__global__ void m20(int *a, int n) { unsigned m = __activemask(); int x = a[threadIdx.x]; if (n > 4) x += __shfl_sync(m, x, 1); a[threadIdx.x] = x; }
__global__ void m21(int *a, int n) { unsigned m = __activemask(); int x = a[threadIdx.x]; for (int i = 0; i < x; i++) x += __shfl_sync(m, x, 1); a[threadIdx.x] = x; } // warning RC0211
__global__ void m22(int *a, int n) { int x = a[threadIdx.x]; for (int i = 0; i < x; i++) { unsigned m = __activemask(); x += __shfl_sync(m, x, 1); } a[threadIdx.x] = x; }
__global__ void m23(int *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; unsigned m = __activemask(); if (i < n) a[i] = __ballot_sync(m, a[i] > 3); } // warning RC0211
__global__ void m24(int *a, int n) { unsigned m = __ballot_sync(0xffffffffu, threadIdx.x < 40); if (threadIdx.x < 40) a[threadIdx.x] = __shfl_xor_sync(m, a[threadIdx.x], 0); }
__global__ void m25(int *a, int n) { unsigned m = __ballot_sync(0xffffffffu, threadIdx.x < 40); if (threadIdx.x < 36) a[threadIdx.x] = __shfl_xor_sync(m, a[threadIdx.x], 0); } // error RC0211
__global__ void m26(int *a, int n) { int x = a[threadIdx.x]; unsigned m = __ballot_sync(0xffffffffu, x > 3); if (x > 3) a[threadIdx.x] = __shfl_xor_sync(m, x, 0); }
__global__ void m27(int *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; unsigned m = __ballot_sync(0xffffffffu, i < n); if (i < n) a[i] = __shfl_down_sync(m, a[i], 1); }
__global__ void m28(int *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; unsigned m = __ballot_sync(0xffffffffu, i < n); if (i >= n) return; a[i] = __shfl_down_sync(m, a[i], 1); }

// Two calls of __activemask() that are taken to agree, and one that is kept.
__global__ void m29(int *a, int *count) { if (a[threadIdx.x] > 0) { unsigned m = __activemask(); int leader = __ffs(m) - 1, base = 0; if ((threadIdx.x & 31) == leader) base = atomicAdd(count, __popc(m)); base = __shfl_sync(__activemask(), base, leader); a[threadIdx.x] = base; } } // warning RC0211
__global__ void m30(int *a, int *count) { if (a[threadIdx.x] > 0) { unsigned m = __activemask(); int leader = __ffs(m) - 1, base = 0; if ((threadIdx.x & 31) == leader) base = atomicAdd(count, __popc(m)); base = __shfl_sync(m, base, leader); a[threadIdx.x] = base; } }
__global__ void m31(int *a, int *count) { if (a[threadIdx.x] > 0) { unsigned m = __activemask(); int leader = __ffs(m) - 1; int base = __shfl_sync(__activemask(), a[0], leader); a[threadIdx.x] = base; } }
__global__ void m32(int *a, int *count) { if (a[threadIdx.x] > 0) { unsigned m = __activemask(); int leader = __ffs(m) - 1, base = 0; if ((threadIdx.x & 31) == leader) base = atomicAdd(count, __popc(m)); __syncwarp(m); base = __shfl_sync(__activemask(), base, leader); a[threadIdx.x] = base; } }
__global__ void m33(int *a, int n) { unsigned m = 0; for (int i = 0; i < n; i++) { m = __activemask(); if (a[i] > 2) a[i] += __popc(m); } a[threadIdx.x] = m; }

// A mask of no lane is never that of who executes the operation.
__global__ void m34(int *a, int n) { int x = a[threadIdx.x]; a[threadIdx.x] = __shfl_sync(0, x, 1); } // error RC0211
__global__ void m35(int *a, int n) { int x = a[threadIdx.x]; if (threadIdx.x < 16) x += __shfl_xor_sync(0u, x, 1); a[threadIdx.x] = x; } // error RC0211
