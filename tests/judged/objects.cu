// Objects with members, which constructors and other functions write: what a thread has in them is the same in all threads if all that was written is.
struct S { int a; int b; __device__ S(int n) : a(n), b(0) {} __device__ bool end(int n) { return a > n; } __device__ void next() { a += 4; } __device__ void add(int x) { a += x; } __device__ S &operator+=(int x) { a += x; return *this; } __device__ void mine() { a += threadIdx.x; } __device__ void block() { a += blockIdx.x; } __device__ void some(int n) { if (threadIdx.x == 3) b = n; } __device__ void one(int n) { if (blockIdx.x == 3) b = n; } __device__ void until(int n) { while (a < n) a++; } __device__ void from(const S &o) { a = o.a; } __device__ void swap(S &o) { int t = a; a = o.a; o.a = t; } };

// Of the block.
__global__ void o0(int n) { S s(blockIdx.x); if (s.end(n)) return; __syncthreads(); }
__global__ void o1(int n) { S s(n); s.add(blockIdx.x); if (s.end(n)) return; __syncthreads(); }
__global__ void o2(int n) { S s(n); s.block(); if (s.end(n)) return; __syncthreads(); }
__global__ void o3(int n) { S s(n); s.one(n); if (s.b > 3) return; __syncthreads(); }
__global__ void o4(int n) { S s(n); s.until(n + blockIdx.x); if (s.end(n)) return; __syncthreads(); }
__global__ void o5(int n) { S s(n), t(blockIdx.x); s.from(t); if (s.end(n)) return; __syncthreads(); }
__global__ void o6(int n) { S s(n), t(blockIdx.x); s.swap(t); if (s.end(n)) return; __syncthreads(); }
__global__ void o7(int n) { S s(n); while (!s.end(n + blockIdx.x)) s.next(); if (s.end(n)) return; __syncthreads(); }
__global__ void o8(int n) { S s(n); if (blockIdx.x > 4) s.next(); if (s.end(n)) return; __syncthreads(); }
__global__ void o9(int n) { S s(n); s += blockIdx.x; if (s.end(n)) return; __syncthreads(); }
__global__ void o10(int n) { S s(n); for (int i = 0; i < n; i++) { if (s.end(n)) return; __syncthreads(); s.add(blockIdx.x); } }
__global__ void o11(int n) { S s(blockIdx.y); while (true) { if (s.end(n)) break; __syncthreads(); s.next(); } }
__global__ void o12(int n) { int a[8]; for (int i = 0; i < 8; i++) a[i] = i; a[blockIdx.x & 7] = 9; if (a[n & 7] > 8) return; __syncthreads(); }

// Of the thread.
__global__ void o20(int n) { S s(threadIdx.x); if (s.end(n)) return; __syncthreads(); } // warning RC0209
__global__ void o21(int n) { S s(n); s.add(threadIdx.x); if (s.end(n)) return; __syncthreads(); } // warning RC0209
__global__ void o22(int n) { S s(n); s.mine(); if (s.end(n)) return; __syncthreads(); } // warning RC0209
__global__ void o23(int n) { S s(n); s.some(n); if (s.b > 3) return; __syncthreads(); } // warning RC0209
__global__ void o24(int n) { S s(n); s.until(n + threadIdx.x); if (s.end(n)) return; __syncthreads(); } // warning RC0209
__global__ void o25(int n) { S s(n), t(threadIdx.x); s.from(t); if (s.end(n)) return; __syncthreads(); } // warning RC0209
__global__ void o26(int n) { S s(n), t(threadIdx.x); s.swap(t); if (s.end(n)) return; __syncthreads(); } // warning RC0209
__global__ void o27(int n) { S s(n); while (!s.end(n + threadIdx.x)) s.next(); if (s.end(n + 5)) return; __syncthreads(); } // warning RC0209
__global__ void o28(int n) { S s(n); if (threadIdx.x > 4) s.next(); if (s.end(n)) return; __syncthreads(); } // warning RC0209
__global__ void o29(int n) { S s(n); (s += 3) += threadIdx.x; if (s.end(n)) return; __syncthreads(); } // warning RC0209
__global__ void o30(int n) { S s(n); for (int i = 0; i < n; i++) { if (s.end(n)) return; __syncthreads(); s.add(threadIdx.x); } } // warning RC0209
__global__ void o31(int n, int *p) { S s(n), t(n); S *q = p[0] ? &s : &t; q->add(threadIdx.x); if (s.end(n)) return; __syncthreads(); } // warning RC0209
__global__ void o32(int n) { S s(n); S *q = &s; q->add(threadIdx.x); if (s.end(n)) return; __syncthreads(); } // warning RC0209
__global__ void o33(int n) { int a[8]; for (int i = 0; i < 8; i++) a[i] = i; a[threadIdx.x & 7] = 9; if (a[n & 7] > 8) return; __syncthreads(); } // warning RC0209

// Objects that keep an address that their constructor is given.
struct Base { int *at; bool bad; __device__ Base(int *p) : at(p), bad(false) {} };
struct Keeper : Base { int c; __device__ Keeper(int *p, int n) : Base(p), c(n) {} __device__ void clear() { at[threadIdx.x] = 0; c = 0; } __device__ void spoil(int n) { bad = n > 3; } };
__global__ void p0(int *a, int n) { Keeper k(a, n); if (k.bad) return; __syncthreads(); k.clear(); }
__global__ void p1(int *a, int n) { __shared__ int s[256]; Keeper k(s, n); for (int i = 0; i < n; i++) { k.clear(); if (k.bad) break; __syncthreads(); } }
__global__ void p2(int *a, int n) { Keeper k(a + threadIdx.x, n); k.spoil(n); if (k.at[0] > 0) return; __syncthreads(); } // warning RC0209
__global__ void p3(int *a, int n) { Keeper k(a, n); k.spoil(threadIdx.x); if (k.bad) return; __syncthreads(); } // warning RC0209
__global__ void p4(int *a, int n) { int mine[4] = {n, n, n, (int)threadIdx.x}; Keeper k(mine, n); if (k.at[n & 3] > 3) return; __syncthreads(); } // warning RC0209
