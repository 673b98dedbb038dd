// Threads that return before a barrier that the others wait at.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))

static __device__ int thread() { return __nvvm_read_ptx_sreg_tid_x(); }
static __device__ int block() { return __nvvm_read_ptx_sreg_ctaid_x(); }
static __device__ int block_size() { return __nvvm_read_ptx_sreg_ntid_x(); }
static __device__ int global_thread() { return block() * block_size() + thread(); }

__global__ void search(const int *in, int *out, int n, int wanted) {
  int i = global_thread();
  if (i >= n)
    return;
  for (int step = 0; step < 64; ++step) {
    int x = in[(i * 7 + step) % n];
    if (x == wanted) {
      out[i] = step;
      return;
    }
    if (x < 0)
      break;
    __nvvm_bar_warp_sync(0xffffffffu);
  }
  __syncthreads();
  out[i] = -1;
}
