// Shared-memory histogram with atomics.
// RUN: --kernel _Z9histogramPKhiPi --grid 16 --block 256 --arg in=u8[6000]{random:207} --arg n=6000 --arg bins=i32[256]
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))

static __device__ int thread() { return __nvvm_read_ptx_sreg_tid_x(); }
static __device__ int block() { return __nvvm_read_ptx_sreg_ctaid_x(); }
static __device__ int block_size() { return __nvvm_read_ptx_sreg_ntid_x(); }
static __device__ int global_thread() { return block() * block_size() + thread(); }

__global__ void histogram(const unsigned char *in, int n, int *bins) {
  __shared__ int mine[256];
  for (int bin = thread(); bin < 256; bin += block_size())
    mine[bin] = 0;
  __syncthreads();
  for (int i = global_thread(); i < n; i += 4096)
    __nvvm_atom_add_gen_i(&mine[in[i]], 1);
  __syncthreads();
  for (int bin = thread(); bin < 256; bin += block_size())
    if (mine[bin])
      __nvvm_atom_add_gen_i(&bins[bin], mine[bin]);
}
