kernel void branches(global const int *in, global int *out, uint width) {
  int i = get_global_id(0), x = in[i] >> 10 & 0xfff, lane = get_local_id(0) % width;
  global const int *group = in + i - lane;
  int added = 0, most = INT_MIN, least = INT_MAX, before = 0, some = 0, first = -1;
  for (int k = 0; k < (int)width; ++k) {
    int y = group[k] >> 10 & 0xfff;
    if (y & 1)
      added += y;
    else
      most = max(most, y);
    if ((y >> 3 & 3) != (x >> 3 & 3))
      continue;
    least = min(least, y);
    before += k < lane ? y : 0;
    some |= y > 2048;
    if (first < 0)
      first = y;
  }
  out[3 * i] = x & 1 ? added : -most;
  int sum = 0;
  for (int k = 0; k < (x & 7); ++k) {
    int here = 0;
    for (int t = 0; t < (int)width; ++t)
      here += (group[t] >> 10 & 7) > k;
    sum = sum * 3 + here;
  }
  out[3 * i + 1] = sum;
  int which = x >> 3 & 3;
  out[3 * i + 2] = which == 0 ? least : which == 1 ? before : which == 2 ? some : first;
}
