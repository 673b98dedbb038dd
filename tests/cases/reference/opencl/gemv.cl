kernel void gemv(global const float *a, global const float *x, global float *y, int m, int n) {
  int row = get_global_id(0);
  if (row >= m)
    return;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k)
    sum += a[row * n + k] * x[k];
  y[row] = sum;
}
