// Kernels that are templates which nothing in the file instantiates: members of what a kernel is given are the same in all threads.
struct Span { int n; int *p; };

template <class P> __global__ void t0(P p) { for (int i = blockIdx.x; i < p.count; i += gridDim.x) __syncthreads(); }
template <class P> __global__ void t1(const P p) { if (blockIdx.x >= p.shape.rows) return; __syncthreads(); }
template <class P> __global__ void t2(P p) { int n = *p.count; for (int i = 0; i < n; i++) __syncthreads(); }
template <class P> __global__ void t3(P p) { if (p.mask && !p.mask[blockIdx.x]) return; __syncthreads(); }
template <class L> __global__ void t4(L log, int n) { int i = 0; for (; i < n; i++) __syncthreads(); log.write(i); }
template <class P> __device__ int rows(const P &p) { return p.rows; }
template <class P> __global__ void t5(const P p) { if (blockIdx.x >= rows(p)) return; __syncthreads(); }

template <class P> __global__ void t20(P p) { for (int i = threadIdx.x; i < p.count; i += blockDim.x) __syncthreads(); } // warning RC0209
template <class P> __global__ void t21(const P *p) { if (p[threadIdx.x].rows > 3) return; __syncthreads(); } // warning RC0209
template <class P> __global__ void t22(P p) { if (p.mask[threadIdx.x]) return; __syncthreads(); } // warning RC0209
template <class P> __global__ void t23(P p) { p.count = threadIdx.x; if (p.count > 3) return; __syncthreads(); } // warning RC0209
template <class P> __global__ void t24(P p) { p.set(threadIdx.x); if (p.count > 3) return; __syncthreads(); } // warning RC0209
template <class P> __global__ void t25(P p) { P q = p; if (threadIdx.x > 4) q.count = 1; if (q.count > 3) return; __syncthreads(); } // warning RC0209

// What a constant starts with, no thread evaluates.
template <class P> __global__ void t6(const P p) { constexpr int n = P::rows * 4; for (int i = 0; i < n; i++) __syncthreads(); }
template <class P> struct Shape { static constexpr int rows = P::count(3); static __device__ int of(int n) { return n; } };
template <class P> __global__ void t7(const P p) { if (Shape<P>::rows > 3) return; __syncthreads(); }
constexpr int tile_of_build = count_of_the_build(4) + 1;
__global__ void t8(int *a) { constexpr int n = tile_of_build * 2; for (int i = 0; i < n; i++) { a[i] = 1; __syncthreads(); } }
__global__ void t26(int *a) { constexpr int n = tile_of_build * 2; if (threadIdx.x > n) return; a[0] = 1; __syncthreads(); } // warning RC0209
__global__ void t27(int *a) { const int n = count_of_the_build(threadIdx.x); if (n > 3) return; a[0] = 1; __syncthreads(); } // warning RC0209

// A constant object stays what it is, whoever knows where it is.
struct L { const int *p; int n; };
__device__ void elsewhere(const L *l);
__global__ void t9(int *a, const L l) { elsewhere(&l); if (l.n > 3 || l.p[blockIdx.x]) return; __syncthreads(); a[0] = 1; }
__global__ void t28(int *a, L l) { elsewhere(&l); if (l.n > 3 || l.p[blockIdx.x]) return; __syncthreads(); a[0] = 1; } // warning RC0209

// Something unknown is given a number that was computed, or one that it may fill.
template <class W> __global__ void t10(W w, int *a, int n) { int at = blockIdx.x * 4; a[1] = w.count(at); for (int i = 0; i < n; i++) { if (at > i) break; w.step(at, a); __syncthreads(); } }
template <class W> __global__ void t30(W w, int *a, int n) { int at; w.where(at); if (at > n) return; __syncthreads(); a[0] = 1; } // warning RC0209
template <class W> __global__ void t31(W w, int *a, int n) { int at = 0; w.where(at); if (at > n) return; __syncthreads(); a[0] = 1; } // warning RC0209
