// Floating-point arithmetic by integers: sums and products of floats bit by bit, compared with the real ones.
// RUN: --grid 4 --block 64 --arg a=f32[256]{random:88} --arg b=f32[256]{random:89} --arg out=u32[768]
static uint product(uint a, uint b) {
  uint sign = (a ^ b) & 0x80000000u;
  int exponent = (int)(a >> 23 & 255) + (int)(b >> 23 & 255) - 127;
  if (!(a & 0x7fffffff) || !(b & 0x7fffffff))
    return sign;
  ulong m = (ulong)(a & 0x7fffff | 0x800000) * (b & 0x7fffff | 0x800000);
  int shift = 23;
  if (m >> 47) {
    shift = 24;
    ++exponent;
  }
  uint kept = (uint)(m >> shift);
  ulong rest = m & ((1UL << shift) - 1), middle = 1UL << (shift - 1);
  if (rest > middle || (rest == middle && kept & 1))
    ++kept;
  if (kept >> 24) {
    kept >>= 1;
    ++exponent;
  }
  return sign | (uint)exponent << 23 | (kept & 0x7fffff);
}

kernel void compare(global const float *a, global const float *b, global uint *out) {
  int i = get_global_id(0);
  float x = (a[i] + 0.01f) * 1.7f, y = 0.3f - b[i];
  uint ours = product(as_uint(x), as_uint(y)), theirs = as_uint(x * y);
  out[3 * i] = ours;
  out[3 * i + 1] = theirs;
  out[3 * i + 2] = ours == theirs;
}
