// Sine and cosine by rotations in fixed point, a square root of integers, and a logarithm by squaring.
// RUN: --grid 2 --block 64 --arg in=u32[128]{random:63} --arg out=i32[512]
constant int angles[16] = {210828714, 124459457, 65760959, 33381289, 16755421, 8385878, 4193962, 2097109,
                           1048570,   524287,    262143,   131071,   65535,    32767,   16383,   8191};

kernel void fixed(global const uint *in, global int *out) {
  int i = get_global_id(0);
  uint x = in[i];
  int angle = (int)(x % 421657428) - 210828714, c = 163008218, s = 0;
  for (int k = 0; k < 16; ++k) {
    int turn = angle >= 0 ? 1 : -1, next = c - turn * (s >> k);
    s += turn * (c >> k);
    c = next;
    angle -= turn * angles[k];
  }
  out[4 * i] = c;
  out[4 * i + 1] = s;
  uint root = 0, rest = x;
  for (uint bit = 1u << 30; bit; bit >>= 2) {
    if (rest >= root + bit) {
      rest -= root + bit;
      root = (root >> 1) + bit;
    } else {
      root >>= 1;
    }
  }
  out[4 * i + 2] = root;
  uint whole = 31 - clz(x | 1), logarithm = whole << 16;
  ulong y = (ulong)(x | 1) << (31 - whole);
  for (int bit = 15; bit >= 0; --bit) {
    y = y * y >> 31;
    if (y >= 1UL << 32) {
      y >>= 1;
      logarithm |= 1u << bit;
    }
  }
  out[4 * i + 3] = logarithm;
}
