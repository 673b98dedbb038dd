kernel void sort(global uint *keys, local uint *exchange) {
  if (get_local_id(0) != 0)
    return;
  global uint *mine = keys + get_global_id(0);
  for (int k = 1; k < (int)get_local_size(0); ++k) {
    uint key = mine[k];
    int at = k;
    for (; at > 0 && mine[at - 1] > key; --at)
      mine[at] = mine[at - 1];
    mine[at] = key;
  }
}
