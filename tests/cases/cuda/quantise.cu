// Groups of 32 floats to bytes with a common scale; by a warp each, and eight at a time.
// RUN: --kernel _Z8quantisePKfPaPfi --grid 2 --block 32 --arg in=f32[384]{random:216} --arg out=i8[384] --arg scales=f32[12] --arg groups=12
#include "device.h"

__global__ void quantise(const float *in, signed char *out, float *scales, int groups) {
  int first = block_x() * 8;
  for (int group = first; group < first + 8; ++group) {
    if (group >= groups)
      break;
    float x = in[group * 32 + thread_x()];
    float most = fabsf(x);
    for (int by = 16; by > 0; by /= 2)
      most = fmaxf(most, __shfl_xor_sync_f(ALL, most, by));
    float scale = most / 127;
    int q = 0;
    if (scale > 0) {
      float scaled = x / scale;
      q = (int)(scaled < 0 ? scaled - 0.5f : scaled + 0.5f);
      if (q > 127)
        q = 127;
      else if (q < -127)
        q = -127;
    }
    out[group * 32 + thread_x()] = q;
    if (thread_x() == 0)
      scales[group] = scale;
  }
}
