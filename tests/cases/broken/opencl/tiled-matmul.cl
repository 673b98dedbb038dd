// Broken twin of tiled-matmul: work-items outside of the matrix return before the others wait for them.
#define TILE 16
kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
matmul(global const float *a, global const float *b, global float *c, int n) {
  local float left[TILE][TILE], right[TILE][TILE];
  int x = get_local_id(0), y = get_local_id(1); // CAUSE
  int column = get_group_id(0) * TILE + x, row = get_group_id(1) * TILE + y;
  if (column >= n || row >= n)
    return;
  float sum = 0.0f;
  for (int tile = 0; tile < n; tile += TILE) {
    left[y][x] = tile + x < n ? a[row * n + tile + x] : 0.0f;
    right[y][x] = tile + y < n ? b[(tile + y) * n + column] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE); // EXPECT: RC0209 warning
    for (int k = 0; k < TILE; ++k)
      sum += left[y][k] * right[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}
