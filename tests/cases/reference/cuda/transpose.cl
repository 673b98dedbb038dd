kernel void transpose(global float *data, int width) {
  if (get_global_id(0) != 0 || get_global_id(1) != 0)
    return;
  for (int y = 0; y < width; ++y)
    for (int x = 0; x < y; ++x) {
      float swap = data[y * width + x];
      data[y * width + x] = data[x * width + y];
      data[x * width + y] = swap;
    }
}
