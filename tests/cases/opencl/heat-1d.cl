// Several steps of heat diffusion on one tile; the halo shrinks with each, the work-items on it only wait.
// RUN: --grid 3 --block 40 --arg in=f32[90]{random:106} --arg out=f32[90] --arg n=90 --arg k=0.2 --arg tile=f32[40]
#define STEPS 4
kernel void heat(global const float *in, global float *out, int n, float k, local float *tile) {
  int self = get_local_id(0), size = get_local_size(0);
  int i = (int)get_group_id(0) * (size - 2 * STEPS) + self - STEPS;
  float value = in[clamp(i, 0, n - 1)];
  for (int step = 1; step <= STEPS; ++step) {
    tile[self] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (self >= step && self < size - step)
      value += k * (tile[self - 1] - 2 * value + tile[self + 1]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (self < STEPS || self >= size - STEPS || i >= n)
    return;
  out[i] = value;
}
