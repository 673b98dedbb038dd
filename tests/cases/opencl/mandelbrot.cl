// Iterations until escape: a loop that every work-item leaves at another time.
kernel void mandelbrot(global uchar4 *image, int width, float2 corner, float step, int limit) {
  int x = get_global_id(0), y = get_global_id(1);
  float2 c = corner + (float2)(x, y) * step;
  float2 z = 0.0f;
  int n = 0;
  while (n < limit && dot(z, z) < 4.0f) {
    z = (float2)(z.x * z.x - z.y * z.y, 2.0f * z.x * z.y) + c;
    ++n;
  }
  image[y * width + x] = convert_uchar4_sat((uint4)(n, n * 2, n * 4, 255));
}
