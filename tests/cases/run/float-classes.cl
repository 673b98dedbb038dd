// What kinds of floating-point numbers there are, and the functions that only look at or move their bits.
// ONLY: pocl because Oclgrind gets bitselect of floats wrong
// RUN: --grid 4 --block 64 --arg in=u32[256]{random:78} --arg out=i32[2560]
// RUN: --grid 1 --block 8 --arg in=u32{0,0x80000000,0x7f800000,0xff800000,1,0x80000001,0x7f7fffff,0x3f800000} --arg out=i32[80]
kernel void classes(global const float *in, global int *out) {
  int i = get_global_id(0);
  float x = in[i], y = in[(i + 1) % get_global_size(0)];
  global int *to = out + 10 * i;
  to[0] = isnan(x) + 2 * isinf(x) + 4 * isfinite(x) + 8 * isnormal(x) + 16 * signbit(x);
  to[1] = isequal(x, y) + 2 * isless(x, y) + 4 * isgreaterequal(x, y) + 8 * islessgreater(x, y) + 16 * isunordered(x, y) +
          32 * isordered(x, y);
  to[2] = (x < y) + 2 * (x <= y) + 4 * (x > y) + 8 * (x >= y) + 16 * (x == y) + 32 * (x != y) + 64 * !(x < y);
  to[3] = as_int(fabs(x)) ^ as_int(copysign(x, y));
  to[4] = isnan(x) || isnan(y) ? 1 : as_int(x == y ? 0.0f : fmin(x, y)) ^ as_int(x == y ? 0.0f : fmax(x, y)) >> 1;
  to[5] = isnan(x) ? 2 : as_int(nextafter(x, 0.0f));
  to[6] = isnan(x) || isnan(y) ? 3 : as_int(clamp(x, -1.0f, 2.0f)) ^ as_int(step(y, x)) ^ as_int(sign(x)) << 1;
  to[7] = as_int(select(x, y, i & 1 ? -1 : 0)) ^ as_int(bitselect(x, y, 1.5f));
  to[8] = isnan(x) ? 4 : as_int(-x) ^ (x != 0.0f ? 1 : 0);
  to[9] = any(isnan((float4)(x, y, 0.0f, 1.0f))) + 2 * all(isfinite((float2)(x, y)));
}
