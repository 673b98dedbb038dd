// Matrix product by square tiles in local memory.
// RUN: --grid 2,2 --block 16,16 --arg a=f32[576]{random:118} --arg b=f32[576]{random:119} --arg c=f32[576] --arg n=24
#define TILE 16
kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
matmul(global const float *a, global const float *b, global float *c, int n) {
  local float left[TILE][TILE], right[TILE][TILE];
  int x = get_local_id(0), y = get_local_id(1);
  int column = get_group_id(0) * TILE + x, row = get_group_id(1) * TILE + y;
  float sum = 0.0f;
  for (int tile = 0; tile < n; tile += TILE) {
    left[y][x] = row < n && tile + x < n ? a[row * n + tile + x] : 0.0f;
    right[y][x] = tile + y < n && column < n ? b[(tile + y) * n + column] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int k = 0; k < TILE; ++k)
      sum += left[y][k] * right[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (row < n && column < n)
    c[row * n + column] = sum;
}
