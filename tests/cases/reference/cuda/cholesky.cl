kernel void cholesky(global float *tiles) {
  if (get_local_id(0) != 0 || get_local_id(1) != 0)
    return;
  global float *a = tiles + get_group_id(0) * 1024;
  for (int k = 0; k < 32; ++k) {
    a[k * 32 + k] = sqrt(a[k * 32 + k]);
    for (int y = k + 1; y < 32; ++y)
      a[y * 32 + k] /= a[k * 32 + k];
    for (int y = k + 1; y < 32; ++y)
      for (int x = k + 1; x <= y; ++x)
        a[y * 32 + x] -= a[y * 32 + k] * a[x * 32 + k];
  }
  for (int y = 0; y < 32; ++y)
    for (int x = y + 1; x < 32; ++x)
      a[y * 32 + x] = 0;
}
