// A block cipher's rounds with a table that the group makes: inverses in a field of 256 elements, and an affine map.
// RUN: --grid 4 --block 64 --arg blocks=u8[4096]{random:38} --arg key=u8[16]{random:39} --arg rounds=10
static uchar times(uchar a, uchar b) {
  uchar sum = 0;
  for (; b; b >>= 1, a = a << 1 ^ (a & 0x80 ? 0x1b : 0))
    if (b & 1)
      sum ^= a;
  return sum;
}

static uchar entry(uchar x) {
  uchar inverse = 1;
  for (int k = 0; k < 254; ++k)
    inverse = times(inverse, x);
  uchar y = inverse;
  for (int k = 1; k < 5; ++k)
    y ^= rotate(inverse, (uchar)k);
  return y ^ 0x63;
}

kernel void encrypt(global uchar *blocks, constant uchar *key, int rounds) {
  local uchar box[256];
  for (uint k = get_local_id(0); k < 256; k += get_local_size(0))
    box[k] = entry(k);
  barrier(CLK_LOCAL_MEM_FENCE);
  uchar state[4][4], next[4][4];
  global uchar *mine = blocks + 16 * get_global_id(0);
  for (int k = 0; k < 16; ++k)
    state[k & 3][k >> 2] = mine[k] ^ key[k];
  for (int round = 0; round < rounds; ++round) {
    for (int r = 0; r < 4; ++r)
      for (int c = 0; c < 4; ++c)
        next[r][c] = box[state[r][(c + r) & 3]];
    for (int c = 0; c < 4; ++c)
      for (int r = 0; r < 4; ++r) {
        uchar x = next[r][c];
        if (round < rounds - 1)
          x = times(x, 2) ^ times(next[(r + 1) & 3][c], 3) ^ next[(r + 2) & 3][c] ^ next[(r + 3) & 3][c];
        state[r][c] = x ^ rotate(key[(4 * c + r + round) & 15], (uchar)(round & 7));
      }
  }
  for (int k = 0; k < 16; ++k)
    mine[k] = state[k & 3][k >> 2];
}
