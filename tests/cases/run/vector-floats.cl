// Arithmetic and comparisons on vectors of floats and doubles, with swizzles and selections.
// RUN: --grid 2 --block 32 --arg in=f32[512]{random:84} --arg out=f32[512] --arg wide=f64[256]
kernel void vectors(global const float8 *in, global float8 *out, global double4 *wide) {
  int i = get_global_id(0);
  float8 x = in[i], y = in[get_global_size(0) - 1 - i].s76543210;
  float8 z = x * y + x / (y + 0.5f) - (float8)(0.5f, x.lo, y.s012);
  int8 less = x < y;
  z = select(z, -z, less);
  z.odd = less.even ? z.even : z.odd;
  z.s3 += z.s4 > 0.0f ? 1.0f : 2.0f;
  out[i] = floor(z * 8.0f) * 0.125f + sqrt(x);
  double4 d = convert_double4(z.lo) * 3.0;
  d.xy -= d.zw;
  d = isless(d, (double4)(1.0)) ? d : d * d;
  wide[i] = d;
}
