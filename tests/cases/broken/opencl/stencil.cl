// Broken twin of stencil: those outside of the grid jump over the barrier.
#define SIDE 8
kernel void stencil(global const float *in, global float *out, int width, int height) {
  local float tile[SIDE][SIDE];
  int lx = get_local_id(0), ly = get_local_id(1); // CAUSE
  int x = get_group_id(0) * SIDE + lx, y = get_group_id(1) * SIDE + ly;
  float sum = 0.0f;
  if (x >= width)
    goto done;
  if (y >= height)
    goto done;
  tile[ly][lx] = in[y * width + x];
  barrier(CLK_LOCAL_MEM_FENCE); // EXPECT: RC0202 warning
  sum = tile[ly][lx ^ 1] + tile[ly ^ 1][lx];
  out[y * width + x] = sum;
done:
  out[width * height] = 0.0f;
}
