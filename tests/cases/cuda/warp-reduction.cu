// Sum over a warp by shuffles, then over the block through shared memory.
// RUN: --kernel _Z6reducePKiPii --grid 32 --block 64 --arg in=i32[3000]{iota} --arg out=i32[32] --arg n=3000
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))

static __device__ int thread() { return __nvvm_read_ptx_sreg_tid_x(); }
static __device__ int block() { return __nvvm_read_ptx_sreg_ctaid_x(); }
static __device__ int block_size() { return __nvvm_read_ptx_sreg_ntid_x(); }
static __device__ int global_thread() { return block() * block_size() + thread(); }

#define FULL 0xffffffffu
static __device__ int warp_sum(int x) {
  for (int reach = 16; reach > 0; reach /= 2)
    x += __nvvm_shfl_sync_down_i32(FULL, x, reach, 31);
  return x;
}

__global__ void reduce(const int *in, int *out, int n) {
  __shared__ int partial[32];
  int sum = 0;
  for (int i = global_thread(); i < n; i += block_size() * 32)
    sum += in[i];
  sum = warp_sum(sum);
  if ((thread() & 31) == 0)
    partial[thread() / 32] = sum;
  __syncthreads();
  if (thread() < 32) {
    sum = thread() < block_size() / 32 ? partial[thread()] : 0;
    sum = warp_sum(sum);
    if (thread() == 0)
      out[block()] = sum;
  }
}
