// Many generations of a small torus, kept in shared memory.
#include "device.h"
#define SIDE 32

__global__ void life(unsigned char *boards, int generations) {
  __shared__ unsigned char board[2][SIDE][SIDE];
  int x = thread_x(), y = thread_y(), now = 0;
  unsigned char *mine = &boards[(block_x() * SIDE + y) * SIDE + x];
  board[0][y][x] = *mine;
  __syncthreads();
  for (int generation = 0; generation < generations; ++generation, now ^= 1) {
    int neighbours = 0;
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        if (dx == 0 && dy == 0)
          continue;
        neighbours += board[now][y + dy & SIDE - 1][x + dx & SIDE - 1];
      }
    bool lives = neighbours == 3 || (neighbours == 2 && board[now][y][x]);
    board[now ^ 1][y][x] = lives;
    if (!__syncthreads_or(lives))
      break;
  }
  *mine = board[now][y][x];
}
