// Every operator on 8-bit integers, signed and not; operands are promoted and results truncated.
// RUN: --grid 4 --block 64 --arg a=i8[256]{random:1} --arg b=i8[256]{random:2} --arg out=i8[4096]
// RUN: --grid 2,1 --block 128,1 --arg a=i8[256]{128*-128,128*127} --arg b=i8[256]{64*-1,64*1,64*-128,64*127} --arg out=i8[4096]
kernel void integers(global const char *a, global const char *b, global char *out) {
  int i = get_global_id(0);
  char x = a[i], y = b[i];
  uchar u = x, v = y;
  global char *to = out + 16 * i;
  to[0] = x + y;
  to[1] = x - y;
  to[2] = x * y;
  to[3] = y ? x / y : 1;
  to[4] = y ? x % y : 2;
  to[5] = v ? u / v : 3;
  to[6] = v ? u % v : 4;
  to[7] = x << (v & 7);
  to[8] = x >> (v & 7);
  to[9] = u >> (v & 7);
  to[10] = x & y | ~x ^ y;
  to[11] = (x < y) + 2 * (u < v) + 4 * (x == y) + 8 * (x >= y) + 16 * (u > v) + 32 * (x != y);
  to[12] = -x;
  to[13] = !x + (x && y) + (x || y);
  to[14] = x++ + --u;
  to[15] = x ^ u;
}
