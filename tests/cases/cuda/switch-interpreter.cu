// A switch in a loop, with fall-through, continue and return.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))

static __device__ int thread() { return __nvvm_read_ptx_sreg_tid_x(); }
static __device__ int block() { return __nvvm_read_ptx_sreg_ctaid_x(); }
static __device__ int block_size() { return __nvvm_read_ptx_sreg_ntid_x(); }
static __device__ int global_thread() { return block() * block_size() + thread(); }

__global__ void interpret(const unsigned char *code, int length, int *data) {
  int i = global_thread(), a = data[i], b = 1;
  for (int pc = 0; pc < length; ++pc) {
    switch (code[pc]) {
    case 0: a += b; break;
    case 1: b = a;
    case 2: a = __nvvm_shfl_sync_bfly_i32(0xffffffffu, a, 1, 31); break;
    case 3: if (a > b) pc += code[pc + 1]; continue;
    case 4: __syncthreads(); break;
    case 5: data[i] = a; return;
    case 10: case 11: case 12: case 13: a ^= code[pc]; break;
    default: b = -b;
    }
    a -= 1;
  }
  data[i] = a + b;
}
