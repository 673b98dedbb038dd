// A jump into a loop makes the cycle irreducible.
kernel void goto_into_loop(global int *data, int n) {
  int i = get_global_id(0);
  int x = data[i];
  if (x & 1)
    goto middle;
  while (x < n) {
    x += sub_group_broadcast(x, 0);
  middle:
    x = x * 2 + 1;
    data[i] = sub_group_reduce_add(x);
  }
  data[i] += x;
}
