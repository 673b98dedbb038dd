// Threads that exchange something in shared memory, with a barrier in between and without.

// Within a warp.
__global__ void r0(int *a) { __shared__ int s[1024]; int t = threadIdx.x; s[t] = a[t]; a[t] = s[t ^ 1]; } // warning RC0212
__global__ void r1(int *a) { __shared__ int s[1024]; int t = threadIdx.x; s[t] = a[t]; __syncwarp(); a[t] = s[t ^ 1]; }
__global__ void r2(int *a) { __shared__ int s[1024]; int t = threadIdx.x; s[t] = a[t]; a[t] = s[t] + 1; }
__global__ void r3(int *a) { __shared__ volatile int s[1024]; int t = threadIdx.x; s[t] = a[t]; __syncthreads(); if (t < 32) { s[t] += s[t + 32]; s[t] += s[t + 16]; s[t] += s[t + 8]; } a[t] = s[t]; } // warning RC0212
__global__ void r4(int *a) { __shared__ int s[1024]; int t = threadIdx.x; s[t] = a[t]; __syncthreads(); for (int n = 16; n > 0; n /= 2) { if (t < n) s[t] += s[t + n]; __syncwarp(); } a[t] = s[t]; }
__global__ void r5(int *a) { __shared__ int s[1024]; int t = threadIdx.x; s[t] = a[t]; __syncthreads(); for (int n = 16; n > 0; n /= 2) { if (t < n) s[t] += s[t + n]; } a[t] = s[t]; } // warning RC0212

// The whole block.
__global__ void r7(int *a) { __shared__ int s[1024]; int t = threadIdx.x; s[t] = a[t]; __syncthreads(); a[t] = s[1023 - t]; }
__global__ void r8(int *a) { __shared__ int s[256]; int t = threadIdx.x; if (t < 256) { s[t] = a[t]; a[t] = s[t ^ 128]; } } // warning RC0212
__global__ void r9(int *a, int n) { __shared__ int sum; for (int i = 0; i < n; i++) { if (threadIdx.x == 0) sum = a[i]; __syncthreads(); a[threadIdx.x] += sum; } } // warning RC0212
__global__ void r10(int *a, int n) { __shared__ int sum; for (int i = 0; i < n; i++) { if (threadIdx.x == 0) sum = a[i]; __syncthreads(); a[threadIdx.x] += sum; __syncthreads(); } }
__global__ void r11(int *a, int n) { __shared__ int s[2][1024]; int t = threadIdx.x; s[0][t] = a[t]; __syncthreads(); for (int i = 0; i < n; i++) { s[(i + 1) & 1][t] = s[i & 1][t ^ 1] + 1; __syncthreads(); } a[t] = s[n & 1][t]; }
__global__ void r12(int *a) { __shared__ int n; n = 0; __syncthreads(); if (a[threadIdx.x] > 0) atomicAdd(&n, 1); __syncthreads(); a[threadIdx.x] = n; }
__global__ void r13(int *a) { __shared__ int s[16][17]; int x = threadIdx.x, y = threadIdx.y; s[y][x] = a[y * 16 + x]; __syncthreads(); a[y * 16 + x] = s[x][y]; }
__global__ void r14(int *a) { __shared__ int flag; flag = 0; if (a[threadIdx.x] > 7) flag = 1; __syncthreads(); if (flag) a[threadIdx.x] = 0; }
extern __shared__ int dynamic[];
__global__ void r15(int *a) { int t = threadIdx.x; dynamic[t] = a[t]; a[t] = dynamic[t ^ 1]; } // warning RC0212
__global__ void r16(int *a) { int t = threadIdx.x; int *mine = dynamic + t / 32 * 32; mine[t % 32] = a[t]; __syncwarp(); a[t] = mine[31 - t % 32]; }

// Atomic operations whose result nobody uses: they order nothing.
__global__ void r30(int *a) { __shared__ int n; int t = threadIdx.x; if (t == 0) n = 0; atomicAdd(&n, a[t]); __syncthreads(); a[t] = n; } // warning RC0212
__global__ void r31(int *a) { __shared__ int n; int t = threadIdx.x; if (t == 0) n = 0; __syncthreads(); atomicAdd(&n, a[t]); if (t == 0) a[0] = n; } // warning RC0212
__global__ void r32(int *a) { __shared__ int n; int t = threadIdx.x; if (t == 0) n = 0; __syncthreads(); atomicAdd(&n, a[t]); __syncthreads(); a[t] = n; }
__global__ void r33(int *a) { __shared__ int n; int t = threadIdx.x; n = 0; atomicAdd(&n, a[t]); __syncthreads(); a[t] = n; } // warning RC0212
__global__ void r34(int *a) { __shared__ int n; int t = threadIdx.x; if (t == 0) n = 0; __syncthreads(); if (atomicAdd(&n, 1) == blockDim.x - 1) a[0] = n; }
__global__ void r35(int *a) { __shared__ int ready; int t = threadIdx.x; if (t == 0) ready = 0; __syncthreads(); if (t == 0) { a[0] = 1; atomicAdd(&ready, 1); } while (*(volatile int *)&ready == 0) ; a[t + 1] = 2; }
__global__ void r36(int *a) { __shared__ int c[32]; int t = threadIdx.x; if (t % 32 == 0) c[t / 32] = 0; __syncwarp(); atomicAdd(&c[t / 32], a[t]); __syncthreads(); a[t] = c[t / 32]; }
__global__ void r37(int *a) { __shared__ int c[32]; int t = threadIdx.x; if (t % 32 == 0) c[t / 32] = 0; atomicAdd(&c[t / 32], a[t]); __syncthreads(); a[t] = c[t / 32]; } // warning RC0212
__global__ void r38(int *a, int *count) { __shared__ int s[1024]; int t = threadIdx.x; s[t] = a[t]; if (t == 0) { int n = 0; for (int i = 0; i < blockDim.x; i++) n += s[i]; atomicAdd(count, n); } } // warning RC0212
__global__ void r39(int *a) { __shared__ int h[64]; int t = threadIdx.x; if (t < 64) h[t] = 0; __syncthreads(); atomicAdd(&h[a[t] & 63], 1); __syncthreads(); if (t < 64) atomicAdd(&a[t], h[t]); }
__global__ void r40(int *a, int n) { __shared__ int most; int t = threadIdx.x; for (int i = 0; i < n; i++) { if (t == 0) most = 0; __syncthreads(); atomicAdd(&most, a[i * blockDim.x + t]); __syncthreads(); if (most > 7) a[t] = i; } } // warning RC0212
__global__ void r41(int *a, int n) { __shared__ int most; int t = threadIdx.x; for (int i = 0; i < n; i++) { if (t == 0) most = 0; __syncthreads(); atomicAdd(&most, a[i * blockDim.x + t]); __syncthreads(); if (most > 7) a[t] = i; __syncthreads(); } }
__global__ void r42(int *a) { __shared__ int h[64]; int t = threadIdx.x; if (t < 64) h[t] = 0; atomicAdd(&h[a[t] & 63], 1); __syncthreads(); if (t < 64) atomicAdd(&a[t], h[t]); } // warning RC0212
__global__ void r43(int *a) { __shared__ int h[64]; int t = threadIdx.x; if (t < 64) h[t] = 0; __syncthreads(); atomicAdd(&h[a[t] & 63], 1); if (t < 64) atomicAdd(&a[t], h[t]); } // warning RC0212
__global__ void r44(int *a) { __shared__ int h[1024]; int t = threadIdx.x; if (t < 256) { for (int i = 0; i < 4; i++) h[i * 256 + t] = 0; atomicAdd(&h[(a[t] & 3) * 256 + t], 1); } __syncthreads(); a[t] = h[t]; }
__global__ void r45(int *a) { __shared__ int h[32][64]; int t = threadIdx.x, w = t / 32; for (int i = t % 32; i < 64; i += 32) h[w][i] = 0; __syncwarp(); atomicAdd(&h[w][a[t] & 63], 1); __syncthreads(); if (t < 64) { int n = 0; for (int i = 0; i < blockDim.x / 32; i++) n += h[i][t]; a[t] = n; } }
