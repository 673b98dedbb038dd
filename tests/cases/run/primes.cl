// A test for primes by witnesses, with products modulo a number of 32 bits.
// RUN: --grid 4 --block 64 --arg out=u32[256] --arg first=4294966000
// RUN: --grid 1 --block 200 --arg out=u32[200] --arg first=1
static uint power(uint base, uint exponent, uint modulus) {
  ulong result = 1, square = base % modulus;
  for (; exponent; exponent >>= 1) {
    if (exponent & 1)
      result = result * square % modulus;
    square = square * square % modulus;
  }
  return (uint)result;
}

static bool is_prime(uint n) {
  if (n < 2 || (n > 2 && !(n & 1)))
    return false;
  uint odd = n - 1, twos = 0;
  while (!(odd & 1)) {
    odd >>= 1;
    ++twos;
  }
  const uint witnesses[3] = {2, 7, 61};
  for (int k = 0; k < 3; ++k) {
    if (witnesses[k] % n == 0)
      continue;
    ulong x = power(witnesses[k], odd, n);
    if (x == 1 || x == n - 1)
      continue;
    uint turn = 1;
    for (; turn < twos; ++turn) {
      x = x * x % n;
      if (x == n - 1)
        break;
    }
    if (turn >= twos)
      return false;
  }
  return true;
}

kernel void primes(global uint *out, uint first) {
  uint i = get_global_id(0);
  out[i] = is_prime(first + i) ? first + i : 0;
}
