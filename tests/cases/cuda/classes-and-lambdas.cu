// Methods, a lambda, a nested structure and an enumeration, with debug information.
// FLAGS: -g
// RUN: --kernel _Z8fold_allPKfPfiN4grid4modeE --grid 2 --block 32 --arg in=f32[512]{random:205} --arg out=f32[64] --arg n=8 --arg mode=0
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))

static __device__ int thread() { return __nvvm_read_ptx_sreg_tid_x(); }
static __device__ int block() { return __nvvm_read_ptx_sreg_ctaid_x(); }
static __device__ int block_size() { return __nvvm_read_ptx_sreg_ntid_x(); }
static __device__ int global_thread() { return block() * block_size() + thread(); }

namespace grid {
enum class mode { sum, product };
template <typename T> struct span {
  T *data;
  int size;
  __device__ T &operator[](int i) const { return data[i < size ? i : size - 1]; }
};
} // namespace grid

__constant__ float factors[8];

template <typename F> static __device__ float fold(grid::span<const float> values, F combine) {
  float result = values[0];
  for (int i = 1; i < values.size; ++i) {
    result = combine(result, values[i]);
    if (result > 1e6f)
      break;
  }
  return result;
}

__global__ void fold_all(const float *in, float *out, int n, grid::mode mode) {
  grid::span<const float> mine{in + global_thread() * n, n};
  float result;
  if (mode == grid::mode::sum)
    result = fold(mine, [](float a, float b) { return a + b; });
  else
    result = fold(mine, [n](float a, float b) { return a * b * factors[n & 7]; });
  __syncthreads();
  out[global_thread()] = result;
}
