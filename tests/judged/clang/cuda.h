// What the headers of CUDA define of what the kernels beside this file use, for clang without an installation of CUDA.

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __syncthreads() __nvvm_bar_sync(0)
#define __syncthreads_count(x) __nvvm_bar0_popc(x)
#define __syncthreads_and(x) __nvvm_bar0_and(x)
#define __syncthreads_or(x) __nvvm_bar0_or(x)
#define WIDTH_OF(width, ...) (width)
#define __shfl_sync(mask, x, lane, ...) __nvvm_shfl_sync_idx_i32(mask, x, lane, (32 - WIDTH_OF(__VA_ARGS__ __VA_OPT__(,) 32)) << 8 | 31)
#define __shfl_xor_sync(mask, x, lanes) __nvvm_shfl_sync_bfly_i32(mask, x, lanes, 31)
#define __shfl_down_sync(mask, x, lanes) __nvvm_shfl_sync_down_i32(mask, x, lanes, 31)
#define __ballot_sync(mask, x) __nvvm_vote_ballot_sync(mask, x)
#define __any_sync(mask, x) __nvvm_vote_any_sync(mask, x)
#define __activemask() __nvvm_activemask()
#define __syncwarp(...) __nvvm_bar_warp_sync(__first(0, ##__VA_ARGS__, 0xffffffffu))
#define __first(zero, mask, ...) mask
#define __ffs(x) __builtin_ffs(x)
#define __popc(x) __builtin_popcount(x)
#define atomicAdd(place, x) __atomic_fetch_add(place, x, __ATOMIC_RELAXED)
#define __trap() __builtin_trap()
#define nullptr 0
#include <__clang_cuda_builtin_vars.h>
__device__ static inline unsigned min(unsigned x, unsigned y) { return x < y ? x : y; }
