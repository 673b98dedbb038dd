// Determinants and solutions of small systems by elimination with pivots, in double precision and private memory.
// RUN: --grid 1 --block 32 --arg in=f64[800]{random:73} --arg out=f64[192]
#define N 5
kernel void solve(global const double *in, global double *out) {
  double a[N][N + 1], determinant = 1.0;
  int i = get_global_id(0);
  for (int r = 0; r < N; ++r) {
    a[r][N] = r + 1;
    for (int c = 0; c < N; ++c)
      a[r][c] = in[(i * N + r) * N + c] - 0.5;
  }
  for (int k = 0; k < N; ++k) {
    int best = k;
    for (int r = k + 1; r < N; ++r)
      if (fabs(a[r][k]) > fabs(a[best][k]))
        best = r;
    if (best != k) {
      for (int c = 0; c <= N; ++c) {
        double swap = a[k][c];
        a[k][c] = a[best][c];
        a[best][c] = swap;
      }
      determinant = -determinant;
    }
    determinant *= a[k][k];
    for (int r = k + 1; r < N; ++r) {
      double factor = a[r][k] / a[k][k];
      for (int c = k; c <= N; ++c)
        a[r][c] -= factor * a[k][c];
    }
  }
  for (int r = N - 1; r >= 0; --r) {
    for (int c = r + 1; c < N; ++c)
      a[r][N] -= a[r][c] * a[c][N];
    a[r][N] /= a[r][r];
    out[6 * i + r] = a[r][N];
  }
  out[6 * i + N] = determinant;
}
