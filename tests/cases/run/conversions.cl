// Conversions between integers, saturating and not, and between integers and floating point with each rounding.
// ONLY: pocl because Oclgrind rounds towards zero in convert_int_rtn
// RUN: --grid 4 --block 64 --arg ints=i64[256]{random:19} --arg floats=f32[256]{random:20} --arg out=i64[5120]
// RUN: --grid 1 --block 4 --arg ints=i64{-9223372036854775808,9223372036854775807,128,-129} --arg floats=f32{0.0,0.5,0.25,1.0} --arg out=i64[80]
kernel void conversions(global const long *ints, global const float *floats, global long *out) {
  int i = get_global_id(0);
  long x = ints[i];
  float f = (floats[i] - 0.5f) * 1000.0f;
  global long *to = out + 20 * i;
  to[0] = convert_char_sat(x >> 50);
  to[1] = convert_uchar_sat(x >> 52);
  to[2] = convert_short_sat((int)(x >> 45));
  to[3] = convert_uint_sat(x >> 30);
  to[4] = convert_int_sat((ulong)x);
  to[5] = convert_ulong_sat(x);
  to[6] = convert_char(x);
  to[7] = convert_ushort(x);
  to[8] = convert_int(f);
  to[9] = convert_int_rte(f);
  to[10] = convert_int_rtn(f);
  to[11] = convert_int_rtp(f);
  to[12] = convert_uchar_sat(f);
  to[13] = convert_char_sat_rte(f / 3);
  to[14] = as_int((float)(int)x) ^ as_int((float)(uint)x);
  to[15] = as_int((float)x) + (long)as_int((float)(ulong)x);
  to[16] = as_long((double)x);
  to[17] = as_long((double)f * 1e10) ^ (long)((double)f * 1e10);
  to[18] = (long)(f * 1e6f) + (ushort)(f + 600.0f);
  to[19] = as_int((float)((double)x / 3.0));
}
