// Barriers that count, vote and fence; convergent functions by attribute alone.
// RUN: --kernel _Z8barriersPi --grid 1 --block 64 --arg data=i32[64]{iota}
// RUN: --kernel _Z8barriersPi --grid 1 --block 32 --arg data=i32{9,7,7,9,5,8,6,5,6,5,7,8,6,8,9,5,9,6,5,6,8,7,6,8,6,5,6,9,9,8,6,6}
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))

static __device__ int thread() { return __nvvm_read_ptx_sreg_tid_x(); }
static __device__ int block() { return __nvvm_read_ptx_sreg_ctaid_x(); }
static __device__ int block_size() { return __nvvm_read_ptx_sreg_ntid_x(); }
static __device__ int global_thread() { return block() * block_size() + thread(); }

__attribute__((convergent)) __device__ int exchange(int);
__attribute__((convergent, noinline)) __device__ int twice(int x) { return exchange(exchange(x)); }

__global__ void barriers(int *data) {
  int i = thread(), x = data[i];
  x += __nvvm_bar0_popc(x > 3);
  x += __nvvm_bar0_and(x > 4) + __nvvm_bar0_or(x > 5);
  __nvvm_membar_cta();
  if (x & 1)
    x = twice(x);
  else
    x = exchange(x + 1);
  __syncthreads();
  data[i] = x;
}
