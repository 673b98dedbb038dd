// Nested uniform loops with a barrier; with debug information.
// FLAGS: -g
// RUN: --kernel _Z4sortPj --grid 2 --block 512 --arg keys=u32[1024]{random:202}
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))

static __device__ int thread() { return __nvvm_read_ptx_sreg_tid_x(); }
static __device__ int block() { return __nvvm_read_ptx_sreg_ctaid_x(); }
static __device__ int block_size() { return __nvvm_read_ptx_sreg_ntid_x(); }
static __device__ int global_thread() { return block() * block_size() + thread(); }

__global__ void sort(unsigned *keys) {
  __shared__ unsigned block_keys[512];
  int self = thread();
  block_keys[self] = keys[global_thread()];
  for (int length = 2; length <= 512; length <<= 1) {
    for (int reach = length >> 1; reach > 0; reach >>= 1) {
      __syncthreads();
      int other = self ^ reach;
      if (other > self) {
        unsigned a = block_keys[self], b = block_keys[other];
        bool up = !(self & length);
        if ((a > b) == up) {
          block_keys[self] = b;
          block_keys[other] = a;
        }
      }
    }
  }
  __syncthreads();
  keys[global_thread()] = block_keys[self];
}
