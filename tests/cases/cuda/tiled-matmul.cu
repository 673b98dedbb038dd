// Matrix product by tiles, as a template.
// RUN: --kernel _Z7matmul8PKfS0_Pfi --grid 9 --block 64 --arg a=f32[576]{random:224} --arg b=f32[576]{random:225} --arg c=f32[576] --arg n=24
// RUN: --kernel _Z8matmul16PKfS0_Pfi --grid 4 --block 256 --arg a=f32[1024]{random:226} --arg b=f32[1024]{random:227} --arg c=f32[1024] --arg n=32
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))

static __device__ int thread() { return __nvvm_read_ptx_sreg_tid_x(); }
static __device__ int block() { return __nvvm_read_ptx_sreg_ctaid_x(); }
static __device__ int block_size() { return __nvvm_read_ptx_sreg_ntid_x(); }
static __device__ int global_thread() { return block() * block_size() + thread(); }

template <int TILE> static __device__ void tile_product(const float *a, const float *b, float *c, int n) {
  __shared__ float left[TILE][TILE], right[TILE][TILE];
  int x = thread() % TILE, y = thread() / TILE;
  int row = block() / (n / TILE) * TILE + y, column = block() % (n / TILE) * TILE + x;
  float sum = 0;
  for (int first = 0; first < n; first += TILE) {
    left[y][x] = a[row * n + first + x];
    right[y][x] = b[(first + y) * n + column];
    __syncthreads();
    for (int k = 0; k < TILE; ++k)
      sum += left[y][k] * right[k][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

__global__ void matmul8(const float *a, const float *b, float *c, int n) { tile_product<8>(a, b, c, n); }
__global__ void matmul16(const float *a, const float *b, float *c, int n) { tile_product<16>(a, b, c, n); }
