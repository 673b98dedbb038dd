// A filter of three by three over an image of bytes: borders by clamping, results by saturation.
// RUN: --grid 4,4 --block 8,8 --arg in=u8[1024]{random:56} --arg filter=i16{-1,-2,-1,0,1,0,1,2,3} --arg out=u8[1024]
// RUN: --grid 4,4 --block 8,8 --arg in=u8[1024]{random:57} --arg filter=i16{1,2,1,2,4,2,1,2,1} --arg out=u8[1024]
kernel void convolve(global const uchar *in, constant short *filter, global uchar *out) {
  int x = get_global_id(0), y = get_global_id(1), width = get_global_size(0), height = get_global_size(1);
  int sum = 0, weight = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) {
      int f = filter[(dy + 1) * 3 + dx + 1];
      sum += f * in[clamp(y + dy, 0, height - 1) * width + clamp(x + dx, 0, width - 1)];
      weight += f;
    }
  out[y * width + x] = convert_uchar_sat(sum / max(weight, 1));
}
