kernel void life(global uchar *boards, int generations) {
  if (get_local_id(0) != 0 || get_local_id(1) != 0)
    return;
  global uchar *board = boards + get_group_id(0) * 1024;
  uchar next[1024];
  for (int generation = 0; generation < generations; ++generation) {
    int some = 0;
    for (int at = 0; at < 1024; ++at) {
      int x = at % 32, y = at / 32, sum = -board[at];
      for (int d = 0; d < 9; ++d)
        sum += board[(y + d / 3 + 31) % 32 * 32 + (x + d % 3 + 31) % 32];
      next[at] = sum == 3 || (sum == 2 && board[at]);
      some |= next[at];
    }
    if (!some)
      break;
    for (int at = 0; at < 1024; ++at)
      board[at] = next[at];
  }
}
