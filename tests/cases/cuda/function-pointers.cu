// Indirect calls, which may be convergent.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))

static __device__ int thread() { return __nvvm_read_ptx_sreg_tid_x(); }
static __device__ int block() { return __nvvm_read_ptx_sreg_ctaid_x(); }
static __device__ int block_size() { return __nvvm_read_ptx_sreg_ntid_x(); }
static __device__ int global_thread() { return block() * block_size() + thread(); }

typedef int (*operation)(int);
__attribute__((noinline)) static __device__ int plain(int x) { return x * 3; }
__attribute__((noinline)) static __device__ int vote(int x) { return __nvvm_vote_all_sync(0xffffffffu, x > 0); }

__global__ void apply(int *data, int n) {
  int i = global_thread();
  operation chosen = data[i] > n ? plain : vote;
  for (int k = 0; k < data[i + 1]; ++k)
    data[i] += chosen(k);
}
