kernel void find(global const char *text, int length, constant char *pattern, constant int *back, int size,
                 int piece, global int *first) {
  if (get_global_id(0) != 0)
    return;
  for (int at = 0; at + size <= length; ++at) {
    int k = 0;
    while (k < size && text[at + k] == pattern[k])
      ++k;
    if (k == size) {
      *first = min(*first, at);
      return;
    }
  }
}
