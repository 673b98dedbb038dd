// Integer built-ins that saturate, average and widen, for each width.
// ONLY: pocl because Oclgrind does not saturate 0 minus the least 64-bit number
// RUN: --grid 4 --block 64 --arg a=i64[256]{random:11} --arg b=i64[256]{random:12} --arg c=i64[256]{random:13} --arg out=i64[6656]
// RUN: --grid 1 --block 4 --arg a=i64{-9223372036854775808,9223372036854775807,-1,0} --arg b=i64{-1,1,9223372036854775807,-9223372036854775808} --arg c=i64{1,-1,0,7} --arg out=i64[104]
#define ALL(TYPE, UNSIGNED) \
  { \
    TYPE x = (TYPE)a[i], y = (TYPE)b[i]; \
    UNSIGNED u = (UNSIGNED)a[i], v = (UNSIGNED)b[i]; \
    *to++ = add_sat(x, y) ^ (long)sub_sat(u, v); \
    *to++ = sub_sat(x, y) ^ (long)add_sat(u, v); \
    *to++ = (ulong)abs_diff(x, y) + (ulong)abs(x); \
    *to++ = hadd(x, y) ^ (long)hadd(u, v) << 1; \
    *to++ = rhadd(x, y) ^ (long)rhadd(u, v) << 1; \
    *to++ = mul_hi(x, y) ^ (long)mul_hi(u, v) << 3; \
  }

kernel void saturating(global const long *a, global const long *b, global const long *c, global long *out) {
  int i = get_global_id(0);
  global long *to = out + 26 * i;
  ALL(char, uchar)
  ALL(short, ushort)
  ALL(int, uint)
  ALL(long, ulong)
  *to++ = mad_sat((int)a[i], (int)b[i], (int)c[i]) ^ (long)mad_sat((uint)a[i], (uint)b[i], (uint)c[i]) << 1;
  *to++ = mad_hi((uint)a[i], (uint)b[i], (uint)c[i]) + (long)clamp((short)a[i], (short)-1000, (short)1000);
}
