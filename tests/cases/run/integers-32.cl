// Every operator on 32-bit integers; division of the least number by -1 is left out, it has no value.
// RUN: --grid 4 --block 64 --arg a=i32[256]{random:5} --arg b=i32[256]{random:6} --arg out=i32[4096]
// RUN: --grid 1 --block 64 --arg a=i32[64]{32*-2147483647,32*2147483647} --arg b=i32[64]{16*-1,16*1,16*-2147483648,16*0} --arg out=i32[1024]
kernel void integers(global const int *a, global const int *b, global int *out) {
  int i = get_global_id(0);
  int x = a[i], y = b[i];
  uint u = x, v = y;
  global int *to = out + 16 * i;
  to[0] = u + v;
  to[1] = u - v;
  to[2] = u * v;
  to[3] = y ? x / y : 1;
  to[4] = y ? x % y : 2;
  to[5] = v ? u / v : 3;
  to[6] = v ? u % v : 4;
  to[7] = u << (v & 31);
  to[8] = x >> (v & 31);
  to[9] = u >> (v & 31);
  to[10] = (x & y) | (~x ^ y);
  to[11] = (x < y) + 2 * (u < v) + 4 * (x == y) + 8 * (x >= y) + 16 * (u > v) + 32 * (x != y);
  to[12] = x / 7 + x % 7 + u / 10 + u % 1000;
  to[13] = x / 16 + x % 16 + x / -3;
  to[14] = x << 40 >> 3;
  to[15] = (short)x + (uchar)y * (char)u - (ushort)v;
}
