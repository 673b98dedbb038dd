// One step of a blocked factorisation: the group of the diagonal tile factorises it, the others solve against it.
#define N 16
kernel void lu_step(global float *a, int pitch, int step) {
  local float diagonal[N][N], tile[N][N];
  int x = get_local_id(0), y = get_local_id(1), group = get_group_id(0);
  global float *corner = a + step * N * (pitch + 1);
  diagonal[y][x] = corner[y * pitch + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < N - 1; ++k) {
    if (x == k && y > k)
      diagonal[y][k] /= diagonal[k][k];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x > k && y > k)
      diagonal[y][x] -= diagonal[y][k] * diagonal[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (group == 0) {
    corner[y * pitch + x] = diagonal[y][x];
  } else {
    global float *mine = corner + group * N;
    tile[y][x] = mine[y * pitch + x];
    for (int k = 0; k < N - 1; ++k) {
      barrier(CLK_LOCAL_MEM_FENCE);
      if (y > k)
        tile[y][x] -= diagonal[y][k] * tile[k][x];
    }
    mine[y * pitch + x] = tile[y][x];
  }
}
