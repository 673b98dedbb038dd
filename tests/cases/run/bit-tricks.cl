// Counting, rotating, selecting and joining bits, by built-ins and by hand.
// ONLY: pocl because Oclgrind has no llvm.bitreverse
// RUN: --grid 4 --block 64 --arg in=u64[256]{random:14} --arg out=u64[3072]
// RUN: --grid 1 --block 4 --arg in=u64{0,18446744073709551615,1,9223372036854775808} --arg out=u64[48]
static uint reversed(uint x) {
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  x = (x >> 8 & 0x00ff00ffu) | (x & 0x00ff00ffu) << 8;
  return x >> 16 | x << 16;
}

static uint spread(uint x) {
  x &= 0xffff;
  x = (x | x << 8) & 0x00ff00ff;
  x = (x | x << 4) & 0x0f0f0f0f;
  x = (x | x << 2) & 0x33333333;
  return (x | x << 1) & 0x55555555;
}

kernel void bits(global const ulong *in, global ulong *out) {
  int i = get_global_id(0);
  ulong x = in[i];
  uint low = (uint)x, high = (uint)(x >> 32);
  global ulong *to = out + 12 * i;
  to[0] = popcount(x) + popcount(low) * 100 + popcount((ushort)x) * 10000 + popcount((uchar)x) * 1000000;
  to[1] = clz(x) + clz(low) * 100 + clz((ushort)x) * 10000 + clz((uchar)x) * 1000000;
  to[2] = rotate(x, (ulong)13) ^ rotate(low, high & 31);
  to[3] = rotate((ushort)x, (ushort)(high & 15)) + ((ulong)rotate((uchar)x, (uchar)3) << 32);
  to[4] = bitselect(x, ~x * 3, (ulong)0x00ff00ff0f0f3355);
  to[5] = upsample(high, low) ^ upsample((ushort)low, (ushort)high) ^ upsample((uchar)low, (uchar)high);
  to[6] = reversed(low);
  to[7] = spread(low) | spread(high) << 1;
  to[8] = x & -x;
  to[9] = x & x - 1;
  to[10] = mul24((int)(low & 0xffff), (int)(high & 0x3fff)) + mad24(low & 0xfff, high & 0xfff, 5u);
  to[11] = (low ^ low >> 1) + max(low, high) - min((int)low, (int)high);
}
