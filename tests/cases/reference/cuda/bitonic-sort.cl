kernel void sort(global uint *keys) {
  global uint *mine = keys + get_global_id(0);
  if (get_local_id(0) != 0)
    return;
  for (int k = 1; k < 512; ++k) {
    uint key = mine[k];
    int at = k;
    for (; at > 0 && mine[at - 1] > key; --at)
      mine[at] = mine[at - 1];
    mine[at] = key;
  }
}
