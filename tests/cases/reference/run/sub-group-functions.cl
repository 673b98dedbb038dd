kernel void functions(global const int *in, global int *out, uint width) {
  int i = get_global_id(0), local_id = get_local_id(0), block = get_local_size(0), x = in[i] >> 12;
  int lane = local_id % width, number = local_id / width;
  int first = i - lane, size = min((int)width, block - number * (int)width);
  global int *to = out + 10 * i;
  int sum = 0, least = INT_MAX, most = INT_MIN, before = 0, most_before = INT_MIN, upto_least = INT_MAX, upto_most = INT_MIN;
  uint unsigned_most = 0;
  bool some = false, all_of_them = true;
  for (int k = 0; k < size; ++k) {
    int y = in[first + k] >> 12;
    sum += y;
    least = min(least, y);
    most = max(most, y);
    unsigned_most = max(unsigned_most, (uint)y);
    some |= y > 500000;
    all_of_them &= y > -500000;
    if (k < lane) {
      before += y;
      most_before = max(most_before, y);
    }
    if (k <= lane) {
      upto_least = min(upto_least, y);
      upto_most = max(upto_most, y);
    }
  }
  to[0] = sum;
  to[1] = least ^ (int)unsigned_most;
  to[2] = before + x;
  to[3] = before;
  to[4] = upto_most - upto_least;
  to[5] = most_before;
  to[6] = in[first + size - 1] >> 12;
  to[7] = some + 2 * all_of_them;
  to[8] = number * 10000 + lane * 100 + (block + width - 1) / width;
  to[9] = size * 1000 + 1;
}
