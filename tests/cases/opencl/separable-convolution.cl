// Convolution along rows, with the filter in constant memory; each work-item computes several pixels.
// RUN: --grid 2,2 --block 16,4 --arg in=f32[800]{random:115} --arg out=f32[800] --arg filter=f32[17]{random:116} --arg width=95 --arg pitch=100
#define RADIUS 8
#define EACH 4
#define WIDTH 16
kernel __attribute__((reqd_work_group_size(WIDTH, 4, 1))) void
rows(global const float *in, global float *out, constant float *filter, int width, int pitch) {
  local float tile[4][(EACH + 2) * WIDTH];
  int x = get_local_id(0), y = get_local_id(1);
  int first = (int)get_group_id(0) * EACH * WIDTH - WIDTH + x;
  int row = get_global_id(1) * pitch;
  for (int part = 0; part < EACH + 2; ++part) {
    int at = first + part * WIDTH;
    tile[y][x + part * WIDTH] = at >= 0 && at < width ? in[row + at] : 0.0f;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int part = 1; part <= EACH; ++part) {
    int at = first + part * WIDTH;
    if (at >= width)
      break;
    float sum = 0.0f;
#pragma unroll
    for (int k = -RADIUS; k <= RADIUS; ++k)
      sum += filter[RADIUS - k] * tile[y][x + part * WIDTH + k];
    out[row + at] = sum;
  }
}
