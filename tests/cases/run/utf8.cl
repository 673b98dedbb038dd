// Decodes the sequences that start at each byte; what is malformed gives a replacement.
// RUN: --grid 4 --block 64 --arg text=u8[260]{random:44} --arg out=u32[256] --arg length=256
// RUN: --grid 1 --block 12 --arg text=u8{0xe2,0x82,0xac,0xf0,0x9f,0x98,0x80,0xc3,0xa9,65,0xc0,0x80} --arg out=u32[12] --arg length=12
kernel void decode(global const uchar *text, global uint *out, uint length) {
  uint i = get_global_id(0);
  uchar first = text[i];
  if (first < 0x80) {
    out[i] = first;
    return;
  }
  uint more = first >= 0xf0 && first < 0xf5 ? 3 : first >= 0xe0 && first < 0xf0 ? 2 : first >= 0xc2 && first < 0xe0 ? 1 : 0;
  uint code = first & (0x3f >> more);
  if (more == 0 || i + more >= length) {
    out[i] = 0xfffd;
    return;
  }
  for (uint k = 1; k <= more; ++k) {
    if ((text[i + k] & 0xc0) != 0x80) {
      out[i] = 0xfffd0000u + k;
      return;
    }
    code = code << 6 | (text[i + k] & 0x3f);
  }
  bool too_long = (more == 2 && code < 0x800) || (more == 3 && code < 0x10000);
  out[i] = too_long || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff ? 0xfffe : code;
}
