// Products, sums and decimal digits of numbers of 256 bits.
// RUN: --grid 1 --block 32 --arg a=u32[256]{random:76} --arg b=u32[256]{random:77} --arg product=u32[512] --arg digits=u8[2560]
#define WORDS 8
kernel void multiply(global const uint *a, global const uint *b, global uint *product, global uchar *digits) {
  int i = get_global_id(0);
  uint r[2 * WORDS];
  for (int k = 0; k < 2 * WORDS; ++k)
    r[k] = 0;
  for (int x = 0; x < WORDS; ++x) {
    ulong carry = 0;
    for (int y = 0; y < WORDS; ++y) {
      carry += (ulong)a[i * WORDS + x] * b[i * WORDS + y] + r[x + y];
      r[x + y] = (uint)carry;
      carry >>= 32;
    }
    r[x + WORDS] = (uint)carry;
  }
  uint borrow = 0;
  for (int k = 0; k < WORDS; ++k) {
    uint before = r[k], less = before - a[i * WORDS + k] - borrow;
    borrow = borrow ? less >= before : less > before;
    product[i * 2 * WORDS + k] = less;
  }
  for (int k = WORDS; k < 2 * WORDS; ++k)
    product[i * 2 * WORDS + k] = r[k] - (k == WORDS ? borrow : 0);
  for (int d = 0; d < 80; ++d) {
    ulong rest = 0;
    for (int k = WORDS - 1; k >= 0; --k) {
      rest = rest << 32 | r[k];
      r[k] = (uint)(rest / 10);
      rest %= 10;
    }
    digits[i * 80 + d] = '0' + rest;
  }
}
