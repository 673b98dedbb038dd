// Loads in inline assembly, with what they say of caches.

__device__ unsigned load(const unsigned *p) {
  unsigned x; unsigned long long policy;
  asm("createpolicy.fractional.L2::evict_last.b64 %0;\n" : "=l"(policy));
  asm("ld.global.nc.L1::evict_last.L2::cache_hint.L2::256B.b32 %0, [%1], %2;\n" : "=r"(x) : "l"(p), "l"(policy));
  return x;
}
__global__ void a0(unsigned *p, int *a) { if (load(p + blockIdx.x) > 3) return; __syncthreads(); a[0] = 1; }
__global__ void a1(unsigned *p, int *a) { unsigned x, y; asm volatile("ld.global.cg.L2::128B.v2.u32 {%0, %1}, [%2];" : "=r"(x), "=r"(y) : "l"(p)); for (unsigned i = x; i < y; i++) { a[i] = 1; __syncthreads(); } }
__global__ void a2(unsigned *p, int *a) { asm volatile("prefetch.global.L2 [%0];" :: "l"(p + threadIdx.x)); if (p[1] > 3) return; __syncthreads(); a[0] = 1; }
__global__ void a20(unsigned *p, int *a) { if (load(p + threadIdx.x) > 3) return; __syncthreads(); a[0] = 1; } // warning RC0209
__global__ void a21(unsigned *p, int *a) { unsigned x; asm("mov.u32 %0, %%laneid;" : "=r"(x)); if (x > 3) return; __syncthreads(); a[0] = 1; } // warning RC0209

// What no table has: it follows its operands, or nothing is known of it.
__device__ int asked(unsigned at) {
  int found;
  asm volatile("{ .reg .pred ok; .reg .b128 it; ld.shared.b128 it, [%1]; clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 ok, it; selp.u32 %0, 1, 0, ok; }" : "=r"(found) : "r"(at) : "memory");
  return found;
}
__device__ int tried(unsigned at) {
  int done;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(at) : "memory");
  return done;
}
__global__ void f0(unsigned at, int *a) { while (true) { if (asked(at + blockIdx.x)) break; __syncwarp(); } a[0] = 1; }
__global__ void f1(unsigned at, int *a) { while (!tried(at)) a[1] = 1; __syncwarp(); a[0] = 1; }
__global__ void f20(unsigned at, int *a) { while (true) { if (asked(at + threadIdx.x)) break; __syncwarp(); } a[0] = 1; } // warning RC0204
__global__ void f21(unsigned at, int *a) { while (true) { if (tried(at)) break; __syncwarp(); } a[0] = 1; } // warning RC0204

// A cluster: all threads say that they are there; who waits, waits alone. Aligned, the threads of a warp are together.
__global__ void c0(int *a) { asm volatile("barrier.cluster.arrive.release;"); if (threadIdx.x == 0) { asm volatile("barrier.cluster.wait.acquire;"); a[0] = 1; } __syncthreads(); a[1] = 1; }
__global__ void c1(int *a) { asm volatile("barrier.cluster.arrive.release.aligned;"); if (threadIdx.x < 32) { asm volatile("barrier.cluster.wait.acquire.aligned;"); a[0] = 1; } __syncthreads(); a[1] = 1; }
__global__ void c20(int *a) { asm volatile("barrier.cluster.arrive.release;"); if (threadIdx.x == 0) { asm volatile("barrier.cluster.wait.acquire.aligned;"); a[0] = 1; } __syncthreads(); a[1] = 1; } // error RC0203
__global__ void c21(int *a) { if (threadIdx.x < 64) { asm volatile("barrier.cluster.arrive.release;"); a[0] = 1; } __syncthreads(); a[1] = 1; } // error RC0201
