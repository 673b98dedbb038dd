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
