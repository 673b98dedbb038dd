kernel void functions(global const int *in, global long *out) {
  size_t group = get_group_id(1) * get_num_groups(0) + get_group_id(0);
  int size = get_local_size(0) * get_local_size(1), self = get_local_id(1) * get_local_size(0) + get_local_id(0);
  global const int *all_of_it = in + group * size;
  global long *to = out + 8 * (group * size + self);
  long sum = 0, upto = 0, most_upto = LONG_MIN;
  int least = INT_MAX;
  uint most = 0, before = 0;
  bool some = false, each = true;
  for (int k = 0; k < size; ++k) {
    long y = all_of_it[k];
    sum += y;
    least = min(least, (int)y);
    most = max(most, (uint)y);
    some |= y > 2000000000;
    each &= y < 2140000000;
    before += k < self ? (uint)y : 0;
    upto += k <= self ? y : 0;
    most_upto = k <= self ? max(most_upto, y) : most_upto;
  }
  to[0] = sum;
  to[1] = least;
  to[2] = most;
  to[3] = upto;
  to[4] = before;
  to[5] = most_upto;
  to[6] = all_of_it[get_local_size(1) > 1 ? 2 * get_local_size(0) + 3 : 5];
  to[7] = some + 2 * each;
}
