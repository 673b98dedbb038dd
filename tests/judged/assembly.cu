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
