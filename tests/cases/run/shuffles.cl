// The built-in shuffles of vectors, with masks that are data.
// RUN: --grid 2 --block 32 --arg in=u32[512]{random:17} --arg mask=u32[512]{random:18} --arg out=u32[1024]
kernel void shuffles(global const uint8 *in, global const uint8 *mask, global uint8 *out) {
  int i = get_global_id(0), other = (i + 1) % get_global_size(0);
  out[2 * i] = shuffle(in[i], mask[i]);
  uint4 low = shuffle2(in[i].lo, in[other].hi, mask[i].odd);
  uint2 two = shuffle(in[i], mask[other].s03);
  ushort4 narrow = shuffle(convert_ushort4(in[i].hi >> 16), convert_ushort4(mask[i].lo & 0xffff));
  out[2 * i + 1] = (uint8)(low.xyz, two.x ^ two.y, convert_uint4(narrow));
}
