// Lambdas that have constant objects by reference, and pointers that are read out of what they hold. What a function reads counts for all of its calls.

struct P { int x, y; };
struct L { const int *p; int *q; int n; };
template <class F> __device__ void each(int n, F f) { for (int i = 0; i < n; i++) f(i); }
__device__ int at(const L &l, int i) { return l.p[i]; }
__device__ int also_at(const L &l, int i) { return l.p[i]; }
__device__ void change(L &l, int *p) { l.q = p; }

// Of the block.
__global__ void l0(int *a, int n) { const P p = {(int)blockIdx.x, n}; auto f = [&](int i) { return p.x + i; }; if (p.y > 3) return; __syncthreads(); a[threadIdx.x] = f(1); }
__global__ void l1(int *a, int n) { const P p = {(int)blockIdx.x, n}; auto f = [&](int i) { return p.x + i; }; if (f(2) > 3) return; __syncthreads(); a[threadIdx.x] = 1; }
__global__ void l2(int *a, P w) { const P v = {(int)blockIdx.x, w.y}; each(w.x, [&](int i) { if (v.y > 3) __syncthreads(); a[threadIdx.x] = i; }); }
__global__ void l3(int *a, const L l) { auto f = [&](int i) { return l.p[i]; }; a[threadIdx.x] = f(1); if (at(l, blockIdx.x) > 3) return; __syncthreads(); }
__global__ void l4(int *a, L l) { auto f = [&](int i) { return l.p[i]; }; a[threadIdx.x] = f(1); if (at(l, blockIdx.x) > 3) return; __syncthreads(); }

// Of the thread.
__global__ void l20(int *a, int n) { const P p = {(int)threadIdx.x, n}; auto f = [&](int i) { return p.x + i; }; if (p.x > 3) return; __syncthreads(); a[threadIdx.x] = f(1); } // warning RC0209
__global__ void l21(int *a, int n) { const P p = {(int)threadIdx.x, n}; auto f = [&](int i) { return p.x + i; }; if (f(2) > 3) return; __syncthreads(); a[threadIdx.x] = 1; } // warning RC0209
__global__ void l22(int *a, int n) { P p = {n, n}; auto f = [&](int i) { p.x += i; }; f(threadIdx.x); if (p.x > 3) return; __syncthreads(); a[threadIdx.x] = 1; } // warning RC0209
__global__ void l23(int *a, L l) { int own[2] = {(int)threadIdx.x, 1}; auto f = [&] { l.p = own; }; f(); if (also_at(l, 0) > 3) return; __syncthreads(); a[0] = 1; } // warning RC0209
__global__ void l24(int *a, L l) { int own[2] = {(int)threadIdx.x, 1}; change(l, own); auto f = [&](int i) { return l.q[i]; }; if (f(0) > 3) return; __syncthreads(); a[0] = 1; } // warning RC0209
__global__ void l25(int *a, const L l) { auto f = [&](int i) { return l.p[i + threadIdx.x]; }; if (f(0) > 3) return; __syncthreads(); a[0] = 1; } // warning RC0209

// Types of the function around them.
__global__ void e0(int *a, int n) { enum class Role { A, B, C }; int w = (int)threadIdx.x / 32; auto role = [=]() -> Role { if (w < 3) return Role::A; return w < n ? Role::B : Role::C; }(); while (*(volatile int *)a != n) {} if (role == Role::A) __syncwarp(); a[threadIdx.x] = 1; }
__global__ void e1(int *a, int n) { enum class Role { A, B, C }; int w = (int)threadIdx.x % 32; auto role = [=]() -> Role { if (w < 3) return Role::A; return w < n ? Role::B : Role::C; }(); while (*(volatile int *)a != n) {} if (role == Role::A) __syncwarp(); a[threadIdx.x] = 1; } // error RC0203
__global__ void e2(int *a, int n) { enum class Role { A, B, C }; auto f = [&](int i) { auto g = [&](int j) { return j > 3 ? Role::B : Role::A; }; return g(i + n); }; while (*(volatile int *)a != n) {} if (f(blockIdx.x) == Role::A) __syncthreads(); a[threadIdx.x] = 1; }
__global__ void e3(int *a, int n) { enum { X = 3, Y }; struct Own { int v; static constexpr int n = 7; }; auto f = [&](int i) { Own o{X}; return i + o.v + Own::n + Y; }; while (*(volatile int *)a != n) {} if (f(blockIdx.x) == 3) __syncthreads(); a[threadIdx.x] = 1; }
