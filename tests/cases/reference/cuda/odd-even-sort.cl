kernel void sort(global int *keys) {
  global int *mine = keys + get_global_id(0);
  if (get_local_id(0) != 0)
    return;
  for (int k = 1; k < (int)get_local_size(0); ++k) {
    int key = mine[k], at = k;
    for (; at > 0 && mine[at - 1] > key; --at)
      mine[at] = mine[at - 1];
    mine[at] = key;
  }
}
