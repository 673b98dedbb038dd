kernel void align(global const char *a, global const char *b, int length, int gap, global int *scores) {
  if (get_local_id(0) != 0)
    return;
  global const char *mine = a + get_group_id(0) * length, *other = b + get_group_id(0) * length;
  int row[128], last = 0;
  for (int y = 0; y < length; ++y) {
    int corner = 0;
    for (int x = 0; x < length; ++x) {
      int from = y > 0 && x > 0 ? corner : -gap * (x + y);
      int best = from + (mine[y] == other[x] ? 1 : -1);
      corner = y > 0 ? row[x] : 0;
      int up = y > 0 ? row[x] - gap : best, left = x > 0 ? row[x - 1] - gap : best;
      row[x] = max(max(best, up), left);
    }
    last = row[length - 1];
  }
  scores[get_group_id(0)] = last;
}
