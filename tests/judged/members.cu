// Structures of which only some members differ between threads.

struct Place { int warp, lane, more; };
__device__ Place place(int n) { Place p; p.warp = threadIdx.x / 32; p.lane = threadIdx.x % 32; p.more = n + 5; return p; }

__global__ void s0(int *a, int n) { int t = threadIdx.x; Place p = place(n); if (p.warp >= n) return; a[t] = __shfl_down_sync(~0u, a[t], 1); }
__global__ void s1(int *a, int n) { int t = threadIdx.x; Place p = place(n); if (p.more == n + 5 || t < 5) __syncthreads(); a[t] = 1; __syncthreads(); }
__global__ void s2(int *a, int n) { int t = threadIdx.x; Place p; p.warp = n; p.lane = t % 32; if (p.lane < 5) __syncthreads(); a[t] = 1; __syncthreads(); } // error RC0201
__global__ void s3(int *a, int n) { int t = threadIdx.x; Place p; p.warp = t / 32; p.lane = t % 32; if (p.warp >= n) return; a[p.lane] = __shfl_down_sync(~0u, a[t], 1); }
__global__ void s4(int *a, int n) { int t = threadIdx.x; Place p; p.warp = t / 32; p.lane = t % 32; if (p.lane >= n) return; a[p.warp] = __shfl_down_sync(~0u, a[t], 1); } // warning RC0204
__global__ void s5(int *a, int n) { int t = threadIdx.x; Place p; p.lane = t; p.more = n; for (p.warp = 0; p.warp < p.more; p.warp++) { a[p.lane] += p.warp; __syncthreads(); } a[t] = 1; }
__global__ void s6(int *a, int n) { int t = threadIdx.x; Place p; p.more = n; for (p.warp = t; p.warp < p.more; p.warp++) { a[t] += p.warp; __syncthreads(); } a[t] = 1; __syncthreads(); } // error RC0201
