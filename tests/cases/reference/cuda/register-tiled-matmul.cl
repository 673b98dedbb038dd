kernel void matmul(global const float *a, global const float *b, global float *c, int m, int n, int k) {
  if (get_local_id(0) != 0 || get_local_id(1) != 0)
    return;
  for (int y = get_group_id(1) * 32; y < min(m, (int)get_group_id(1) * 32 + 32); ++y)
    for (int x = get_group_id(0) * 32; x < min(n, (int)get_group_id(0) * 32 + 32); ++x) {
      float sum = 0;
      for (int d = 0; d < k; ++d)
        sum += a[y * k + d] * b[d * n + x];
      c[y * n + x] = sum;
    }
}
