static bool inside(int x, int y, int width, int height) { return x > 0 && y > 0 && x < width - 1 && y < height - 1; }

kernel void stencil(global const float *in, global float *out, int width, int height, int depth) {
  int x = get_global_id(0), y = get_global_id(1), stride = width * height;
  if (!inside(x, y, width, height))
    return;
  for (int z = 1; z < depth - 1; ++z) {
    int at = z * stride + y * width + x;
    float left = inside(x - 1, y, width, height) ? in[at - 1] : 0, right = inside(x + 1, y, width, height) ? in[at + 1] : 0;
    float up = inside(x, y - 1, width, height) ? in[at - width] : 0, down = inside(x, y + 1, width, height) ? in[at + width] : 0;
    float below = in[at - stride], here = in[at], above = in[at + stride];
    out[at] = here + 0.1f * (below + above + left + right + up + down - 6 * here);
  }
}
