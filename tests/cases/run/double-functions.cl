// Elementary functions in double precision.
// RUN: --grid 4 --block 64 --arg in=f64[256]{random:82} --arg out=f64[3072]
// TOLERANCE: out=16ulp
kernel void functions(global const double *in, global double *out) {
  int i = get_global_id(0);
  double x = in[i] + 0.01, y = in[(i + 7) % get_global_size(0)] * 3.0 + 0.1;
  global double *to = out + 12 * i;
  to[0] = exp(x);
  to[1] = log(y + 1.5);
  to[2] = sin(x);
  to[3] = cos(x);
  to[4] = tan(x);
  to[5] = atan2(y, x);
  to[6] = pow(y, x * 4.0);
  to[7] = tanh(x);
  to[8] = sqrt(y) / x;
  to[9] = exp2(y) + log2(y + 1.5);
  to[10] = asin(x * 0.9);
  to[11] = cbrt(y);
}
