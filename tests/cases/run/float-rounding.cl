// Functions that round and take apart, which are exact; in both precisions.
// RUN: --grid 4 --block 64 --arg in=f32[256]{random:79} --arg out=i32[3840] --arg scale=1000
// RUN: --grid 4 --block 64 --arg in=f32[256]{random:80} --arg out=i32[3840] --arg scale=3
// RUN: --grid 1 --block 8 --arg in=f32{0.25,0.75,1.0,0.0,0.625,0.125,0.375,0.5} --arg out=i32[120] --arg scale=8
kernel void rounding(global const float *in, global int *out, float scale) {
  int i = get_global_id(0);
  float x = (in[i] - 0.5f) * scale;
  double d = (double)in[i] * -scale;
  global int *to = out + 15 * i;
  to[0] = as_int(floor(x));
  to[1] = as_int(ceil(x));
  to[2] = as_int(trunc(x));
  to[3] = as_int(rint(x));
  to[4] = as_int(round(x));
  float whole;
  to[5] = as_int(modf(x, &whole)) ^ as_int(whole);
  int exponent = 0;
  float fraction = frexp(x, &exponent);
  to[6] = x == 0.0f ? 0 : as_int(fraction) ^ exponent;
  to[7] = as_int(ldexp(x, i % 20 - 10));
  to[8] = x == 0.0f ? 0 : ilogb(x) + (int)logb(x);
  to[9] = as_int(fmod(x, 0.7f));
  to[10] = as_int(sqrt(fabs(x)));
  to[11] = (int)floor(d) + (int)ceil(d) * 3 + (int)rint(d) * 5 + (int)round(d) * 7 + (int)trunc(d) * 11;
  to[12] = (int)(as_long(sqrt(-d)) >> 20);
  to[13] = as_int(fma(x, scale, 1.0f)) ^ (int)(as_long(fma(d, d, -1.0)) >> 13);
  to[14] = as_int(fdim(x, 1.0f)) ^ as_int(degrees(0.0f) + radians(0.0f)) ^ as_int(maxmag(x, 1.25f));
}
