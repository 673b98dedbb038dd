// What functions are given by reference, and variables that are filled and copied.

struct P { int x, y; };
__device__ int get(const P &p) { return p.y; }
__device__ void set(int &n) { n += threadIdx.x; }
__device__ void wait(const int &n, int *a) { for (int i = 0; i < n; i++) { a[i] = 1; __syncthreads(); } }
template <typename T> static __device__ void choose(const T &n, int *a) { if (n > 3) { a[1] = 1; __syncthreads(); } }
static __device__ void member(const P &p, int *a) { if (p.y > 3) { a[1] = 1; __syncthreads(); } }
__device__ void never_called(const P &p, int *a) { if (p.y > 3) { a[1] = 1; __syncthreads(); } }
__global__ void r0(int *a, int n) { int m = n + 1; wait(m, a); choose(m, a); wait(7, a); a[threadIdx.x] = 1; __syncthreads(); }
__global__ void r1(int *a, int n) { P p{n, n + 1}; member(p, a); a[threadIdx.x] = 1; __syncthreads(); }
__global__ void r2(int *a, int n) { P p{n, n + 1}; if (get(p) > 3) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); }
__global__ void r3(int *a, P q) { P p = q; if (get(p) > 3) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); }
__global__ void r4(int *a, P q) { if (get(q) > 3) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); }
__global__ void r6(int *a, int n) { P p{n, n + (int)threadIdx.x}; if (get(p) > 3) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); } // warning RC0202
__global__ void r7(int *a, int n) { int m = n; set(m); if (m > 3) __syncthreads(); a[threadIdx.x] = 1; __syncthreads(); } // warning RC0202
