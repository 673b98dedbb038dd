kernel void quantise(global const float *in, global char *out, global float *scales, int groups) {
  int group = get_global_id(0);
  if (group >= groups)
    return;
  float most = 0;
  for (int k = 0; k < 32; ++k)
    most = fmax(most, fabs(in[32 * group + k]));
  scales[group] = most / 127;
  for (int k = 0; k < 32; ++k) {
    float x = in[32 * group + k] / scales[group];
    out[32 * group + k] = clamp((int)(x < 0 ? x - 0.5f : x + 0.5f), -127, 127);
  }
}
