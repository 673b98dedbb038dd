// Threads of a warp number themselves by a ballot.
// RUN: --kernel _Z7compactPKiPiS1_i --grid 1 --block 32 --arg in=i32[32]{random:201} --arg out=i32[32] --arg count=i32[1] --arg n=30
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))

static __device__ int thread() { return __nvvm_read_ptx_sreg_tid_x(); }
static __device__ int block() { return __nvvm_read_ptx_sreg_ctaid_x(); }
static __device__ int block_size() { return __nvvm_read_ptx_sreg_ntid_x(); }
static __device__ int global_thread() { return block() * block_size() + thread(); }

__global__ void compact(const int *in, int *out, int *count, int n) {
  int i = global_thread();
  bool keep = i < n && in[i] > 0;
  unsigned votes = __nvvm_vote_ballot_sync(0xffffffffu, keep);
  int lane = thread() & 31;
  int before = __builtin_popcount(votes & ((1u << lane) - 1));
  int base = 0;
  if (lane == 0)
    base = __nvvm_atom_add_gen_i(count, __builtin_popcount(votes));
  base = __nvvm_shfl_sync_idx_i32(0xffffffffu, base, 0, 31);
  if (keep)
    out[base + before] = in[i];
}
