static int of_thread(int op, int x) {
  int low = op & 7;
  x = low == 0 ? x + 1 : low == 1 ? x * 3 : low == 2 ? (x ^ 5) * 2 : low == 3 ? x * 2 : low == 4 ? -x
      : low == 5 ? abs(x) - 5 : x - low;
  if (op == -1000)
    return 0;
  x = op == 17 ? x + 17 : op == 4096 ? x - 4096 : op == 1 << 20 ? x >> 3 : x;
  return x ^ op;
}

kernel void apply(global const int *ops, global int *data, int n) {
  if (get_local_id(0) % 32 != 0)
    return;
  int first = get_global_id(0), results[32];
  uint votes = 0;
  for (int k = 0; k < 32; ++k) {
    results[k] = first + k < n ? of_thread(ops[first + k], data[first + k]) : 0;
    votes |= (uint)(results[k] > 0) << k;
  }
  for (int k = 0; k < 32 && first + k < n; ++k)
    data[first + k] = (int)((uint)results[k] + votes);
}
