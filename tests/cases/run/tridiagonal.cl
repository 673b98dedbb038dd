// Tridiagonal systems, one a thread, in private memory; and one of the group by cyclic reduction.
// RUN: --grid 1 --block 32 --arg right=f64[512]{random:93} --arg out=f64[512] --arg shared_out=f64[32]
#define N 16
kernel void solve(global const double *right, global double *out, global double *shared_out) {
  double c[N], d[N];
  int i = get_local_id(0);
  c[0] = -1.0 / (3.0 + i);
  d[0] = right[i * N] / (3.0 + i);
  for (int k = 1; k < N; ++k) {
    double m = 1.0 / ((3.0 + i) + c[k - 1]);
    c[k] = -m;
    d[k] = (right[i * N + k] + d[k - 1]) * m;
  }
  for (int k = N - 1; k >= 0; --k) {
    if (k < N - 1)
      d[k] -= c[k] * d[k + 1];
    out[i * N + k] = d[k];
  }
  local double a[32], b[32], e[32], r[32];
  a[i] = i == 0 ? 0.0 : -1.0;
  b[i] = 4.0;
  e[i] = i == 31 ? 0.0 : -1.0;
  r[i] = right[i];
  for (int reach = 1; reach < 32; reach *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int low = i - reach, high = i + reach;
    double f = low >= 0 ? -a[i] / b[low] : 0.0, g = high < 32 ? -e[i] / b[high] : 0.0;
    double na = low >= 0 ? f * a[low] : 0.0, ne = high < 32 ? g * e[high] : 0.0;
    double nb = b[i] + (low >= 0 ? f * e[low] : 0.0) + (high < 32 ? g * a[high] : 0.0);
    double nr = r[i] + (low >= 0 ? f * r[low] : 0.0) + (high < 32 ? g * r[high] : 0.0);
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = na;
    b[i] = nb;
    e[i] = ne;
    r[i] = nr;
  }
  shared_out[i] = r[i] / b[i];
}
