// Greatest common divisors by division, by subtraction of bits, and the inverse modulo a number.
// RUN: --grid 4 --block 32 --arg a=u32[128]{random:33} --arg b=u32[128]{random:34} --arg out=u32[384]
static uint by_division(uint a, uint b) {
  while (b) {
    uint rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

static uint by_bits(uint a, uint b) {
  if (!a || !b)
    return a | b;
  uint shift = 0;
  for (; !((a | b) & 1); ++shift, a >>= 1, b >>= 1)
    ;
  while (!(a & 1))
    a >>= 1;
  do {
    while (!(b & 1))
      b >>= 1;
    if (a > b) {
      uint swap = a;
      a = b;
      b = swap;
    }
    b -= a;
  } while (b);
  return a << shift;
}

static long inverse(long a, long m) {
  long x = 0, y = 1, r = m, s = a % m;
  while (s != 0) {
    long q = r / s, t = x - q * y;
    x = y;
    y = t;
    t = r - q * s;
    r = s;
    s = t;
  }
  return r != 1 ? 0 : x < 0 ? x + m : x;
}

kernel void gcd(global const uint *a, global const uint *b, global uint *out) {
  int i = get_global_id(0);
  out[3 * i] = by_division(a[i], b[i]);
  out[3 * i + 1] = by_bits(a[i] & ~7u, b[i] & ~3u);
  out[3 * i + 2] = (uint)inverse(a[i], 1000000007);
}
