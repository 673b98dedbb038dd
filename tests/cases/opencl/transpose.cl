// Transpose through a padded local tile.
// RUN: --grid 2,1 --block 32,8 --arg in=f32[4800]{random:120} --arg out=f32[4800] --arg width=40 --arg height=30
#define TILE 32
#define ROWS 8
kernel void transpose(global const float4 *in, global float4 *out, uint width, uint height) {
  local float4 tile[TILE][TILE + 1];
  uint x = get_group_id(0) * TILE + get_local_id(0);
  uint y = get_group_id(1) * TILE + get_local_id(1);
  for (uint row = 0; row < TILE; row += ROWS)
    if (x < width && y + row < height)
      tile[get_local_id(1) + row][get_local_id(0)] = in[(y + row) * width + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  x = get_group_id(1) * TILE + get_local_id(0);
  y = get_group_id(0) * TILE + get_local_id(1);
  for (uint row = 0; row < TILE; row += ROWS)
    if (x < height && y + row < width)
      out[(y + row) * height + x] = tile[get_local_id(0)][get_local_id(1) + row];
}
