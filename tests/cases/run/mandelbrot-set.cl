// Escape times in single and double precision, and of another set.
// RUN: --grid 4,4 --block 8,8 --arg image=u8[4096] --arg step=0.09 --arg limit=200
kernel void escape(global uchar4 *image, float step, int limit) {
  int x = get_global_id(0), y = get_global_id(1);
  float cx = x * step - 2.0f, cy = y * step - 1.4f, zx = 0.0f, zy = 0.0f;
  int n = 0;
  for (; n < limit; ++n) {
    float xx = zx * zx, yy = zy * zy;
    if (xx + yy > 4.0f)
      break;
    zy = 2.0f * zx * zy + cy;
    zx = xx - yy + cx;
  }
  double jx = cx, jy = cy;
  int m = 0;
  while (m < limit && jx * jx + jy * jy < 4.0) {
    double next = jx * jx - jy * jy - 0.75;
    jy = 2.0 * jx * jy + 0.11;
    jx = next;
    ++m;
  }
  image[y * get_global_size(0) + x] = convert_uchar4_sat((int4)(n, m, n - m, 255));
}
