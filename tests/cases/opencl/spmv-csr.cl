// Sparse matrix times vector, a sub-group per row.
// RUN: --grid 1 --block 96 --arg rows=i32{0,5,5,12} --arg columns=i32{0,2,4,6,7,1,2,3,4,5,6,7} --arg values=f32[12]{random:126} --arg x=f32[8]{random:127} --arg y=f32[3] --arg n=3
// TOLERANCE: y=1e-5
kernel void spmv(global const int *rows, global const int *columns, global const float *values,
                 global const float *x, global float *y, int n) {
  int row = get_group_id(0) * get_num_sub_groups() + get_sub_group_id();
  if (row >= n)
    return;
  float sum = 0.0f;
  for (int at = rows[row] + get_sub_group_local_id(); at < rows[row + 1]; at += get_max_sub_group_size())
    sum += values[at] * x[columns[at]];
  sum = sub_group_reduce_add(sum);
  if (get_sub_group_local_id() == 0)
    y[row] = sum;
}
