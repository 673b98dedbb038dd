kernel void relax(global float *values, int n, local float *old, float epsilon) {
  if (get_local_id(0) != 0)
    return;
  float now[32];
  bool more;
  do {
    more = false;
    for (int k = 0; k < n; ++k)
      old[k] = values[k];
    for (int k = 0; k < n; ++k) {
      now[k] = 0.5f * (old[max(k - 1, 0)] + old[min(k + 1, n - 1)]);
      more |= fabs(now[k] - old[k]) > epsilon;
    }
    for (int k = 0; k < n; ++k)
      values[k] = now[k];
  } while (more);
}
