#define LENGTH 64
kernel void align(global const char *query, global const char *sequences, global const int *offsets, int gap, global int *best) {
  if (get_local_id(0) != 0)
    return;
  int group = get_group_id(0), most = 0, row[LENGTH + 1];
  for (int k = 0; k <= LENGTH; ++k)
    row[k] = 0;
  for (int column = offsets[group]; column < offsets[group + 1]; ++column) {
    int corner = 0;
    for (int k = 0; k < LENGTH; ++k) {
      int score = max(corner + (sequences[column] == query[k] ? 2 : -1), max(row[k + 1], row[k]) - gap);
      corner = row[k + 1];
      row[k + 1] = max(score, 0);
      most = max(most, row[k + 1]);
    }
  }
  best[group] = most;
}
