kernel void spmv(global const int *rows, global const int *columns, global const float *values,
                 global const float *x, global float *y, int n) {
  int row = get_global_id(0);
  if (row >= n)
    return;
  float sum = 0.0f;
  for (int at = rows[row]; at < rows[row + 1]; ++at)
    sum += values[at] * x[columns[at]];
  y[row] = sum;
}
