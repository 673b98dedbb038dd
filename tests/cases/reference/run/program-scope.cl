kernel void lookup(global const uint *in, global uint *out) {
  int i = get_global_id(0);
  uint x = in[i], which = x % 3;
  const uint names[3] = {(97 * 7 + 98) * 7 + 99, 0, 98 * 7 + 99}, table[4] = {10, 20, 0, 0};
  const uint sizes[3][2] = {{1, 2}, {40, 50}, {7, 0}}, factors[3] = {2, (uint)-8, 4000}, rows[2][2] = {{4, 5}, {2, 3}};
  const uchar second[6] = {'l', 'o', 'n', 'g', 'e', 'r'};
  uint name = names[which];
  if (which == 1)
    for (int k = 0; k < 6; ++k)
      name = name * 7 + second[k];
  out[2 * i] = name + sizes[which][x >> 4 & 1] + factors[which];
  out[2 * i + 1] = rows[x >> 8 & 1][x >> 9 & 1] + table[x >> 10 & 3] + 5;
}
