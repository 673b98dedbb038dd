// vload and vstore of each length at places that are not aligned, and vectors of three.
// RUN: --grid 1 --block 32 --arg bytes=u8[1056]{random:21} --arg shorts=i16[600]{random:22} --arg out=u8[1088] --arg wide=i16[704]
kernel void memory(global const uchar *bytes, global const short *shorts, global uchar *out, global short *wide) {
  int i = get_global_id(0);
  uchar16 sixteen = vload16(0, bytes + 33 * i);
  uchar8 eight = vload8(1, bytes + 33 * i + 3);
  uchar4 four = vload4(2, bytes + 33 * i + 1);
  uchar3 three = vload3(3, bytes + 33 * i);
  uchar2 two = vload2(5, bytes + 33 * i + 1);
  global uchar *to = out + 34 * i;
  vstore16(sixteen ^ (uchar16)(eight, eight.s76543210), 0, to + 1);
  vstore3(three + four.xyz, 0, to + 17);
  vstore4(four - two.xyxy, 0, to + 20);
  vstore8(eight * (uchar)3, 0, to + 24);
  vstore2(two, 16, to);
  to[0] = three.z;
  short3 a = vload3(i, shorts + 7), b = vload3(i, shorts + 300);
  short4 c = vload4(i, shorts + 5);
  vstore3(a * b, i * 2, wide);
  vstore3(b - c.wzy, i * 2 + 1, wide);
  vstore16((short16)(a.x, b, c, a, b.zyx, c.xy), 0, wide + 192 + 16 * i);
}
