// Some steps of a stencil on a tile in local memory, in two buffers that change places.
// RUN: --grid 2,2 --block 8,8 --arg in=f32[256]{random:58} --arg out=f32[256] --arg steps=7
// RUN: --grid 1,1 --block 8,8 --arg in=f32[64]{random:59} --arg out=f32[64] --arg steps=0
kernel void jacobi(global const float *in, global float *out, int steps) {
  local float first[10][10], second[10][10];
  local float (*from)[10] = first, (*to)[10] = second;
  int x = get_local_id(0) + 1, y = get_local_id(1) + 1;
  for (int k = get_local_id(1) * 8 + get_local_id(0); k < 100; k += 64)
    first[k / 10][k % 10] = second[k / 10][k % 10] = 1.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  int at = get_global_id(1) * get_global_size(0) + get_global_id(0);
  from[y][x] = in[at];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 0; step < steps; ++step) {
    to[y][x] = 0.25f * (from[y - 1][x] + from[y + 1][x] + from[y][x - 1] + from[y][x + 1]);
    barrier(CLK_LOCAL_MEM_FENCE);
    local float (*swap)[10] = from;
    from = to;
    to = swap;
  }
  out[at] = from[y][x];
}
