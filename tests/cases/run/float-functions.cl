// Elementary functions in single precision, within what OpenCL allows them to be off.
// RUN: --grid 4 --block 64 --arg in=f32[256]{random:81} --arg out=f32[4608]
// TOLERANCE: out=16ulp
kernel void functions(global const float *in, global float *out) {
  int i = get_global_id(0);
  float x = in[i] + 0.01f, y = in[(i + 7) % get_global_size(0)] * 3.0f + 0.1f;
  global float *to = out + 18 * i;
  to[0] = exp(x);
  to[1] = exp2(y);
  to[2] = exp10(x);
  to[3] = log(y + 1.5f);
  to[4] = log2(y + 1.5f);
  to[5] = log10(y + 1.5f);
  to[6] = sin(x);
  to[7] = cos(x);
  to[8] = tan(x);
  to[9] = asin(x * 0.9f);
  to[10] = acos(x * 0.9f);
  to[11] = atan(y);
  to[12] = atan2(y, x);
  to[13] = pow(y, x * 4.0f);
  to[14] = sinh(x) + cosh(y);
  to[15] = tanh(x);
  to[16] = cbrt(y) + rsqrt(y);
  to[17] = hypot(x, y) + expm1(x) + log1p(y);
}
