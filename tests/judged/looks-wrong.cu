// Kernels that are right and look wrong: what decides is the same in all threads, which takes some thought.

struct Box { int n; int m; int *data; };
struct Row { int first[4]; int count; };
struct Pair { int low; int high; };
__constant__ int limits[4];
__device__ int clamped(int x, int low, int high) { return x < low ? low : x > high ? high : x; }
__device__ int digits(int x) { int count = 0; while (x > 0) { x /= 10; count++; } return count; }
__device__ int chosen(int x, int y) { return x > 3 ? x : y; }
__device__ Pair halves(int x) { Pair p; p.low = x / 2; p.high = x - x / 2; return p; }
__device__ bool is_even(int x) { return x % 2 == 0; }
__device__ int first_of(const int *a) { return a[0]; }
__device__ int size_of(const Box &box) { return box.n * box.m; }
__device__ int sum_of_block(int x) { __shared__ int s[1024]; s[threadIdx.x] = x; __syncthreads(); for (int o = blockDim.x / 2; o > 0; o /= 2) { if (threadIdx.x < o) s[threadIdx.x] += s[threadIdx.x + o]; __syncthreads(); } return s[0]; }
__device__ int broadcast(int x) { __shared__ int s; if (threadIdx.x == 0) s = x; __syncthreads(); return s; }
__device__ void wait() { __syncthreads(); }
__device__ void wait_if(bool needed) { if (needed) __syncthreads(); }
__global__ void r0(int *a, int n) { if (clamped(n, 2, 9) > 4) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); }
__global__ void r1(int *a, int n) { if (digits(n) == 3) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); }
__global__ void r2(int *a, int n) { if (chosen(n, 7) > 4) __syncthreads(); a[chosen(threadIdx.x, 7)] = 1; __syncthreads(); }
__global__ void r3(int *a, int n) { Pair p = halves(n); if (p.low > 4) __syncthreads(); a[p.high + threadIdx.x] = 1; __syncthreads(); }
__global__ void r4(int *a, int n) { if (is_even(n) && is_even(blockIdx.x)) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); }
__global__ void r5(int *a, int n) { if (first_of(a) > n) __syncthreads(); int x = threadIdx.x; a[x] = 1; __syncthreads(); }
__global__ void r6(int *a, Box box) { if (size_of(box) > 4) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); }
__global__ void r7(int *a, Box box) { if (box.n > 4) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); }
__global__ void r8(int *a, Row row) { for (int i = 0; i < row.count; i++) { if (row.first[i] > 3) __syncthreads(); a[threadIdx.x] = i; } __syncthreads(); }
__global__ void r9(int *a, Row row, int n) { if (row.first[n & 3] > 3) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); }
__global__ void r10(Box *box) { if (box->data[0] > 3) __syncthreads(); box->n = threadIdx.x; __syncthreads(); }
__global__ void r11(Box box, int *a) { if (box.data[box.n] > 3) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); }
__global__ void r12(int **rows, int n) { int *row = rows[blockIdx.x]; for (int i = 0; i < row[0]; i++) __syncthreads(); rows[0][threadIdx.x] = n; }
__global__ void r13(int *a, int n) { if (limits[n & 3] > 3) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); }
__global__ void r14(int *a, int n) { int c = __syncthreads_count(a[threadIdx.x] > n); if (c > 3) __syncthreads(); a[threadIdx.x] = c; __syncthreads(); }
__global__ void r15(int *a, int n) { bool go = true; while (go) { a[threadIdx.x]--; go = __syncthreads_or(a[threadIdx.x] > n); } a[threadIdx.x] = 1; __syncthreads(); }
__global__ void r16(int *a, int n) { if (__syncthreads_and(a[threadIdx.x] > n)) { a[threadIdx.x] = 2; __syncthreads(); } a[0] = 1; __syncthreads(); }
__global__ void r17(int *a, int n) { int total = sum_of_block(a[threadIdx.x]); if (total > n) __syncthreads(); a[threadIdx.x] = total; __syncthreads(); }
__global__ void r18(int *a, int n) { int all = broadcast(a[threadIdx.x]); if (all > n) __syncthreads(); a[threadIdx.x] = all; __syncthreads(); }
__global__ void r19(int *a, int n) { __shared__ int s; if (threadIdx.x == 0) s = a[n]; __syncthreads(); if (s > 3) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); }
__global__ void r20(int *a, int n) { __shared__ int s[32]; if (threadIdx.x < 32) s[threadIdx.x] = a[threadIdx.x]; __syncthreads(); for (int i = 0; i < 32; i++) { if (s[i] > 3) __syncthreads(); a[threadIdx.x] = i; } __syncthreads(); }
__global__ void r21(int *a, int n) { if (threadIdx.x == 0) a[n] = 4; __syncthreads(); if (a[n] > 3) __syncthreads(); a[threadIdx.x + 1] = 1; __syncthreads(); }
__global__ void r22(int *a, int n) { __shared__ bool done; if (threadIdx.x == 0) done = false; __syncthreads(); while (!done) { __syncthreads(); if (threadIdx.x == 0 && a[0] > n) done = true; a[threadIdx.x] += 1; __syncthreads(); } }
__global__ void r23(int *a, int n) { int t = threadIdx.x; for (int r = 0; r < n; r++) { for (int s = t; s < n; s += 32) { if (a[s] == 5) __trap(); a[s] = 1; } __syncthreads(); } a[n] = 2; }
__global__ void r24(int *a, int n) { int t = threadIdx.x; for (int r = 0; r < n; r++) { for (int s = t; s < n; s += 32) { if (a[s] == 5) __builtin_unreachable(); a[s] = 1; } __syncthreads(); } a[n] = 2; }
#include <cassert>
__global__ void r25(int *a, int n) { int t = threadIdx.x; for (int r = 0; r < n; r++) { for (int s = t; s < n; s += 32) { assert(a[s] != 5); a[s] = 1; } __syncthreads(); } a[n] = 2; }
__global__ void r26(int *a, int n) { assert(blockDim.x == 32); int i = blockIdx.x * blockDim.y + threadIdx.y; if (i >= n) return; int x = a[i]; x += __shfl_xor_sync(0xffffffffu, x, 1); a[threadIdx.x] = x; }
__global__ void r27(int *a, int n) { int t = threadIdx.x; if (t < n) { switch (a[t] & 3) { case 0: a[t] = 1; break; case 1: a[t] = 2; break; default: __builtin_unreachable(); } } __syncthreads(); a[t] = 3; }
__global__ void r28(int *a, int n) { wait_if(n > 3); a[threadIdx.x] = 1; __syncthreads(); }
__global__ void r29(int *a, int n) { for (int i = 0; i < n; i++) { a[threadIdx.x] = i; wait(); } }
__global__ void r30(int *a, int n) { int x = n; for (int i = 0; i < digits(n); i++) { x += i; } if (x > 7) __syncthreads(); a[threadIdx.x] = x; __syncthreads(); }
__global__ void r31(int *a, int n) { int tid = threadIdx.x + 8 * (threadIdx.y + 4 * threadIdx.z); int x = a[tid]; if (tid >> 5 == 1) x += __shfl_xor_sync(0xffffffffu, x, 1); a[tid] = x; } // warning RC0204
__global__ void r32(int *a, int n) { int tid = threadIdx.x + 16 * threadIdx.y; int x = a[tid]; if (tid / 32 == 1) x += __shfl_xor_sync(0xffffffffu, x, 1); a[tid] = x; } // warning RC0204
__global__ void r33(int *a, int n) { unsigned here = __activemask(); int x = a[threadIdx.x]; if (threadIdx.x < 7) { unsigned some = __activemask(); x += __shfl_sync(some, x, 0); } a[threadIdx.x] = x + here; }
__global__ void r34(int *a, int n) { int x = a[threadIdx.x]; unsigned some = __ballot_sync(0xffffffffu, threadIdx.x < 7); if (threadIdx.x < 7) x += __shfl_sync(some, x, 0); a[threadIdx.x] = x; }
__global__ void r35(int *a, int n) { int lane = threadIdx.x % 32; int x = a[threadIdx.x]; if (lane < 16) x += __shfl_xor_sync(0x0000ffffu, x, 1); a[threadIdx.x] = x; }
__global__ void r36(int *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; bool inside = i < n; int x = inside ? a[i] : 0; x += __shfl_down_sync(0xffffffffu, x, 1); if (inside) a[i] = x; }
__global__ void r37(int *a, int n) { int rounds = (n + blockDim.x - 1) / blockDim.x; for (int r = 0; r < rounds; r++) { int i = r * blockDim.x + threadIdx.x; if (i < n) a[i] = r; __syncthreads(); } }
__global__ void r38(int *a, int n) { int t = threadIdx.x; int x = 0; if (t < n) x = a[t]; else x = 2; __syncthreads(); a[t] = x; }
__global__ void r39(int *a, int n) { int t = threadIdx.x; do { __syncthreads(); if (t < n) a[t]++; n -= 2; } while (n > 0); }
