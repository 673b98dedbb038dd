// Three bytes to four letters by a string constant, and back by comparisons.
// RUN: --grid 2 --block 64 --arg in=u8[384]{random:43} --arg letters=u8[512] --arg back=u8[384]
constant char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static int value(uchar c) {
  if (c >= 'A' && c <= 'Z')
    return c - 'A';
  if (c >= 'a' && c <= 'z')
    return c - 'a' + 26;
  if (c >= '0' && c <= '9')
    return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

kernel void base64(global const uchar *in, global uchar *letters, global uchar *back) {
  int i = get_global_id(0);
  uint word = in[3 * i] << 16 | in[3 * i + 1] << 8 | in[3 * i + 2];
  for (int k = 0; k < 4; ++k)
    letters[4 * i + k] = alphabet[word >> (18 - 6 * k) & 63];
  int all = 0;
  for (int k = 0; k < 4; ++k)
    all = all << 6 | value(letters[4 * i + k]);
  for (int k = 0; k < 3; ++k)
    back[3 * i + k] = all >> (16 - 8 * k);
}
