kernel void classes(global float *out, int n) {
  int i = get_global_id(0);
  float by[4], x = 1 + i, y = 2 + 5, total = 0;
  x += -2.0f * 7;
  y += -2.0f * 8;
  y += 2 * 3;
  if (i < 7) {
    x += n;
    y += 5;
  }
  for (int k = 0; k < 4; ++k) {
    by[k] = (k + i) * 0.5f + k;
    total += by[k];
  }
  float scale = 3 + n + 1, around = 2 * 4 * (float)i / 2;
  out[i] = x + y + total * scale + (by[0] + by[3]) + 3 + around + 4;
}
