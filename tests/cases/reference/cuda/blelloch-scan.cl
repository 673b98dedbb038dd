kernel void scan(global int *data) {
  global int *mine = data + get_group_id(0) * 512;
  if (get_local_id(0) != 0)
    return;
  for (int k = 0, sum = 0; k < 512; ++k) {
    int x = mine[k];
    mine[k] = sum;
    sum += x;
  }
}
