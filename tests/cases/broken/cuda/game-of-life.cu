// Broken twin of game-of-life: a cell that lives has seen enough.
#include "../../cuda/device.h"
#define SIDE 32

__global__ void life(unsigned char *boards, int generations) {
  __shared__ unsigned char board[2][SIDE];
  int x = thread_x(), now = 0;
  board[0][x] = boards[x];
  __syncthreads();
  for (int generation = 0; generation < generations; ++generation, now ^= 1) {
    int lives = board[now][x + 1 & SIDE - 1]; // CAUSE
    board[now ^ 1][x] = lives;
    if (lives)
      break;
    __syncthreads(); // EXPECT: RC0202 warning
  }
  boards[x] = board[now][x];
}
