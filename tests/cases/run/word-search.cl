// Where a word occurs: by comparing, and by skipping as the last letter allows, with a table of the group.
// RUN: --grid 2 --block 32 --arg text=u8[1100]{random:74} --arg word=u8{1,0,1} --arg out=u32[128] --arg size=3
// RUN: --grid 1 --block 32 --arg text=u8[600]{100*0,100*1,100*0,1,1,0,1,1,1,0,1,292*0} --arg word=u8{1,1,0,1} --arg out=u32[64] --arg size=4
#define PIECE 16
kernel void search(global const uchar *text, constant uchar *word, global uint *out, int size) {
  local int skip[2];
  int i = get_global_id(0), self = get_local_id(0), start = i * PIECE, count = 0;
  if (self < 2) {
    skip[self] = size;
    for (int k = 0; k < size - 1; ++k)
      if (word[k] == self)
        skip[self] = size - 1 - k;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int at = start; at < start + PIECE; ++at) {
    int k = 0;
    while (k < size && (text[at + k] & 1) == word[k])
      ++k;
    count += k == size;
  }
  int other = 0;
  for (int at = start; at < start + PIECE;) {
    int k = size - 1;
    for (; k >= 0; --k)
      if ((text[at + k] & 1) != word[k])
        break;
    other += k < 0;
    at += skip[text[at + size - 1] & 1];
  }
  out[2 * i] = count;
  out[2 * i + 1] = other;
}
