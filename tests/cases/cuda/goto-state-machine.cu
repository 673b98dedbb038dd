// Labels and gotos, forward, backward and into a loop.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))

static __device__ int thread() { return __nvvm_read_ptx_sreg_tid_x(); }
static __device__ int block() { return __nvvm_read_ptx_sreg_ctaid_x(); }
static __device__ int block_size() { return __nvvm_read_ptx_sreg_ntid_x(); }
static __device__ int global_thread() { return block() * block_size() + thread(); }

__global__ void machine(int *data, int n) {
  int i = global_thread();
  int state = data[i];
  int turns = 0;
start:
  if (state > n)
    goto done;
  if (state & 1)
    goto odd;
  while (state < n) {
    state = state * 2 + __nvvm_vote_any_sync(0xffffffffu, state == turns);
  odd:
    state += 3;
    if (++turns > 50)
      goto done;
  }
  state -= n / 2;
  if (turns < 10)
    goto start;
done:
  data[i] = state;
}
