// Every operator on 64-bit integers, and the ways between widths.
// RUN: --grid 4 --block 64 --arg a=i64[256]{random:7} --arg b=i64[256]{random:8} --arg out=i64[4096]
// RUN: --grid 1 --block 8 --arg a=i64{-9223372036854775807,9223372036854775807,0,1,-1,4294967296,-4294967296,10} --arg b=i64{-1,3,0,0,7,-65536,4294967295,-9223372036854775808} --arg out=i64[128]
kernel void integers(global const long *a, global const long *b, global long *out) {
  int i = get_global_id(0);
  long x = a[i], y = b[i];
  ulong u = x, v = y;
  global long *to = out + 16 * i;
  to[0] = u + v;
  to[1] = u - v;
  to[2] = u * v;
  to[3] = y ? x / y : 1;
  to[4] = y ? x % y : 2;
  to[5] = v ? u / v : 3;
  to[6] = v ? u % v : 4;
  to[7] = u << (v & 63);
  to[8] = x >> (v & 63);
  to[9] = u >> (v & 63);
  to[10] = (x & y) | (~x ^ y);
  to[11] = (x < y) + 2 * (u < v) + 4 * (x == y) + 8 * (x >= y) + 16 * (u > v) + 32 * (x != y);
  to[12] = x / 1000000007 + u % 10;
  to[13] = (int)x + (ulong)(uint)y * (short)u - (long)(char)v;
  to[14] = x >> 33 ^ u << 17;
  to[15] = (v | 1) ? (uint)(u / (v | 1)) : 0;
}
