// Bilinear and cubic interpolation of an image, with coordinates that leave it.
// RUN: --grid 2,2 --block 8,8 --arg image=f32[64]{random:92} --arg out=f32[512]
static float at(global const float *image, int x, int y) { return image[clamp(y, 0, 7) * 8 + clamp(x, 0, 7)]; }

static float cubic(float a, float b, float c, float d, float t) {
  float p = d - c - a + b;
  return ((p * t + (a - b - p)) * t + (c - a)) * t + b;
}

kernel void sample(global const float *image, global float *out) {
  int i = get_global_id(1) * get_global_size(0) + get_global_id(0);
  float x = get_global_id(0) * 0.625f - 1.0f, y = get_global_id(1) * 0.6875f - 1.5f;
  int ix = (int)floor(x), iy = (int)floor(y);
  float fx = x - ix, fy = y - iy;
  float top = at(image, ix, iy) * (1.0f - fx) + at(image, ix + 1, iy) * fx;
  float bottom = at(image, ix, iy + 1) * (1.0f - fx) + at(image, ix + 1, iy + 1) * fx;
  out[2 * i] = top * (1.0f - fy) + bottom * fy;
  float rows[4];
  for (int k = 0; k < 4; ++k)
    rows[k] = cubic(at(image, ix - 1, iy + k - 1), at(image, ix, iy + k - 1), at(image, ix + 1, iy + k - 1),
                    at(image, ix + 2, iy + k - 1), fx);
  out[2 * i + 1] = cubic(rows[0], rows[1], rows[2], rows[3], fy);
}
