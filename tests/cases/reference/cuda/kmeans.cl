kernel void assign(global const float *points, int n, global const float *centres, int k, global int *label,
                   global float *sums, global int *counts) {
  if (get_global_id(0) != 0)
    return;
  for (int i = 0; i < n; ++i) {
    float nearest = 1e30f;
    int best = 0;
    for (int c = 0; c < k; ++c) {
      float far = 0;
      for (int d = 0; d < 4; ++d)
        far += (points[4 * i + d] - centres[4 * c + d]) * (points[4 * i + d] - centres[4 * c + d]);
      if (far < nearest) {
        nearest = far;
        best = c;
      }
    }
    label[i] = best;
    ++counts[best];
    for (int d = 0; d < 4; ++d)
      sums[4 * best + d] += points[4 * i + d];
  }
}
