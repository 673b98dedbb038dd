kernel void exchange(global int *data, int mode, int rounds, local int *cells) {
  if (get_local_id(0) != 0 || mode == 0)
    return;
  int size = get_local_size(0);
  global int *mine = data + get_global_id(0);
  if (get_group_id(0) == get_num_groups(0) - 1 && mode > 1)
    for (int k = 0; k < size; k += 2)
      mine[k] = mine[k + 1] = (int)((uint)mine[k] + (uint)mine[k + 1]);
  for (int turn = 0; turn < rounds; ++turn) {
    if ((turn & 3) == mode)
      continue;
    bool all_less = true;
    for (int k = 0; k < size; ++k)
      cells[k] = mine[k];
    for (int k = 0; k < size; ++k) {
      mine[k] = cells[(k + turn) % size];
      all_less &= mine[k] < turn;
    }
    if (all_less)
      break;
  }
}
