// How far words of four letters' alphabet are apart: two rows of a table in private memory.
// RUN: --grid 1 --block 64 --arg words=u8[1024]{random:45} --arg out=u32[64]
#define LENGTH 16
kernel void distance_of(global const uchar *words, global uint *out) {
  int i = get_global_id(0), other = (i + 1) % get_global_size(0);
  uchar row[LENGTH + 1];
  for (int k = 0; k <= LENGTH; ++k)
    row[k] = k;
  for (int a = 0; a < LENGTH; ++a) {
    uchar corner = row[0], letter = words[LENGTH * i + a] & 3;
    row[0] = a + 1;
    for (int b = 0; b < LENGTH; ++b) {
      uchar above = row[b + 1];
      uchar cost = (words[LENGTH * other + b] & 3) != letter;
      row[b + 1] = min(min((uchar)(above + 1), (uchar)(row[b] + 1)), (uchar)(corner + cost));
      corner = above;
    }
  }
  out[i] = row[LENGTH];
}
