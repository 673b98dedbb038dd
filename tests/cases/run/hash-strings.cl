// Hashes of strings that end with a zero: each thread reads as far as its own goes.
// RUN: --grid 1 --block 32 --arg text=u8[512]{random:42} --arg out=u64[64]
kernel void hash(global uchar *text, global ulong *out) {
  int i = get_global_id(0);
  global const uchar *at = text + 16 * i;
  text[16 * i + i % 16] = 0;
  ulong fnv = 14695981039346656037UL;
  uint jenkins = 0, length = 0;
  while (*at && length < 16) {
    fnv = (fnv ^ *at) * 1099511628211UL;
    jenkins += *at++;
    jenkins += jenkins << 10;
    jenkins ^= jenkins >> 6;
    ++length;
  }
  jenkins += jenkins << 3;
  jenkins ^= jenkins >> 11;
  jenkins += jenkins << 15;
  out[2 * i] = fnv;
  out[2 * i + 1] = (ulong)jenkins << 32 | length;
}
