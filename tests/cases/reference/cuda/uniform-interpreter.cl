kernel void interpret(ulong program, global int *data) {
  int a[64], b[64], swap[64];
  global int *mine = data + get_global_id(0);
  if (get_local_id(0) != 0)
    return;
  for (int k = 0; k < 64; ++k) {
    a[k] = mine[k];
    b[k] = 0;
  }
  for (; program != 0; program >>= 4) {
    int op = program & 15;
    for (int k = 0; k < 64; ++k)
      swap[k] = a[k];
    for (int k = 0; k < 64; ++k)
      switch (op) {
      case 1: a[k] += b[k]; break;
      case 2: b[k] = a[k]; break;
      case 3: case 7: a[k] = swap[k ^ 1]; break;
      case 4: a[k] = -a[k]; b[k] ^= a[k]; break;
      case 5: b[k] ^= a[k]; break;
      case 6: a[k] = max(a[k], b[k]); break;
      default: b[k] = k;
      }
  }
  for (int k = 0; k < 64; ++k)
    mine[k] = a[k] + b[k];
}
