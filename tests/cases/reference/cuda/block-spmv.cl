kernel void spmv(global const int *rows, global const int *columns, global const float *values, global const float *x,
                 global float *y) {
  int row = get_group_id(0);
  if (get_local_id(0) != 0)
    return;
  double sum = 0;
  for (int at = rows[row]; at < rows[row + 1]; ++at)
    sum += (double)values[at] * x[columns[at]];
  y[row] = sum;
}
