kernel void lookup(global const int *keys, global const int *values, int capacity, global const int *wanted, global int *out,
                   int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  out[i] = -1;
  for (int slot = 0; slot < capacity; ++slot)
    if (keys[slot] == wanted[i])
      out[i] = values[slot];
}
