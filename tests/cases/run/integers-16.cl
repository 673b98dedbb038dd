// Every operator on 16-bit integers.
// RUN: --grid 3 --block 64 --arg a=i16[192]{random:3} --arg b=i16[192]{random:4} --arg out=i16[2304]
// RUN: --grid 1 --block 64 --arg a=i16[64]{32*-32768,32*32767} --arg b=i16[64]{16*-1,16*1,16*-32768,16*32767} --arg out=i16[768]
kernel void integers(global const short *a, global const short *b, global short *out) {
  int i = get_global_id(0);
  short x = a[i], y = b[i];
  ushort u = x, v = y;
  global short *to = out + 12 * i;
  to[0] = x + y;
  to[1] = x * y;
  to[2] = y ? x / y : 1;
  to[3] = y ? x % y : 2;
  to[4] = v ? u / v : 3;
  to[5] = v ? u % v : 4;
  to[6] = x << (v & 15);
  to[7] = x >> (v & 15);
  to[8] = u >> (v & 15);
  to[9] = (x < y) + 2 * (u < v) + 4 * (x == y) + 8 * (x >= y) + 16 * (u > v) + 32 * (x != y);
  x -= y;
  u += x;
  to[10] = x;
  to[11] = u ^ (ushort)~v;
}
