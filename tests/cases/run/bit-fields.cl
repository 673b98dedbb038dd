// Bit-fields and unions, written and read in parts, through private memory.
// RUN: --grid 2 --block 64 --arg in=u32[128]{random:25} --arg out=u32[256]
typedef union {
  uint all;
  float number;
  uchar byte[4];
  short part[2];
} word;

kernel void fields(global const uint *in, global uint *out) {
  int i = get_global_id(0);
  word w;
  w.all = in[i];
  uchar swap = w.byte[0];
  w.byte[0] = w.byte[3];
  w.byte[3] = swap;
  w.part[(i & 1)] -= 77;
  out[2 * i] = w.all;
  word f;
  f.number = (float)(in[i] & 0xffff) * 0.5f;
  f.all += 1 << 23;
  uint sign = f.all >> 31, exponent = f.all >> 23 & 255, fraction = f.all & 0x7fffff;
  out[2 * i + 1] = exponent * 1000 + (fraction >> 14) + sign + (uint)f.number;
}
