// Matrix times vector: a sub-group per row and four rows at a time, the last ones one by one.
// RUN: --grid 2 --block 64 --arg a=f32[700]{random:122} --arg x=f32[50]{random:123} --arg y=f32[14] --arg m=14 --arg n=50
// TOLERANCE: y=1e-4
static float row_product(global const float *row, global const float *x, int n) {
  float sum = 0.0f;
  for (int i = get_sub_group_local_id(); i < n; i += get_max_sub_group_size())
    sum = fma(row[i], x[i], sum);
  return sub_group_reduce_add(sum);
}

kernel void gemv(global const float *a, global const float *x, global float *y, int m, int n) {
  int row = 4 * (get_group_id(0) * get_num_sub_groups() + get_sub_group_id());
  if (row + 4 <= m) {
    float4 sum;
    sum.x = row_product(a + row * n, x, n);
    sum.y = row_product(a + (row + 1) * n, x, n);
    sum.z = row_product(a + (row + 2) * n, x, n);
    sum.w = row_product(a + (row + 3) * n, x, n);
    if (get_sub_group_local_id() == 0)
      vstore4(sum, 0, y + row);
  } else {
    for (; row < m; ++row) {
      float sum = row_product(a + row * n, x, n);
      if (get_sub_group_local_id() == 0)
        y[row] = sum;
    }
  }
}
