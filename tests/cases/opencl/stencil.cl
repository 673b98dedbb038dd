// Five-point stencil with a halo in local memory; work-items at the rim load more than one value.
// RUN: --grid 3,2 --block 8,8 --arg in=f32[260]{random:117} --arg out=f32[260] --arg width=20 --arg height=13
#define SIDE 8
kernel void stencil(global const float *in, global float *out, int width, int height) {
  local float tile[SIDE + 2][SIDE + 2];
  int gx = get_global_id(0), gy = get_global_id(1);
  int x = get_local_id(0) + 1, y = get_local_id(1) + 1;
  int cx = clamp(gx, 0, width - 1), cy = clamp(gy, 0, height - 1);
  tile[y][x] = in[cy * width + cx];
  if (x == 1)
    tile[y][0] = in[cy * width + max(cx - 1, 0)];
  if (x == SIDE)
    tile[y][SIDE + 1] = in[cy * width + min(cx + 1, width - 1)];
  if (y == 1)
    tile[0][x] = in[max(cy - 1, 0) * width + cx];
  if (y == SIDE)
    tile[SIDE + 1][x] = in[min(cy + 1, height - 1) * width + cx];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (gx >= width || gy >= height)
    return;
  out[gy * width + gx] = 0.2f * (tile[y][x] + tile[y][x - 1] + tile[y][x + 1] + tile[y - 1][x] + tile[y + 1][x]);
}
