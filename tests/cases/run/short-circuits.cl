// Conditions that are not all evaluated, comma, conditional operators in each other, do loops with complex ends.
// RUN: --grid 4 --block 64 --arg in=i32[256]{random:87} --arg out=i32[512]
static bool touch(int *count, bool result) {
  ++*count;
  return result;
}

kernel void conditions(global const int *in, global int *out) {
  int i = get_global_id(0), x = in[i], count = 0;
  int y = touch(&count, x & 1) && (touch(&count, x & 2) || touch(&count, x & 4)) ? 1 : touch(&count, x & 8) ? 2 : x & 16 ? 3 : 4;
  int z = 0, k = 0;
  do {
    if (++k > 20 || (touch(&count, (x >> k & 3) == 3) && z > 5))
      break;
    if (x >> k & 1 && !(k & 4))
      continue;
    z += k, z ^= y;
  } while ((touch(&count, z < 50) && k < 15) || (x & 1 << k & 31));
  for (int a = 0, b = 10; a < b; ++a, b -= x >> a & 1)
    z = a & 1 ? b & 1 ? z + 1 : z * 2 : z ^ a;
  out[2 * i] = count;
  out[2 * i + 1] = z * 5 + y;
}
