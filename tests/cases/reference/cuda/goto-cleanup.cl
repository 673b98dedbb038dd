static int number(global const char *c, int *value) {
  while (*c == ' ')
    ++c;
  int sign = *c == '-' ? -1 : 1, x = 0;
  if (*c == '-')
    ++c;
  if (*c < '0' || *c > '9')
    return 0;
  for (; *c >= '0' && *c <= '9'; ++c)
    x = x * 10 + *c - '0';
  if (*c != 0)
    return 0;
  *value = sign * x;
  return 1;
}

kernel void parse(global const char *text, int n, global int *numbers, global int *failures) {
  if (get_local_id(0) != 0)
    return;
  int count = 0;
  for (int i = get_global_id(0); i < (int)(get_global_id(0) + get_local_size(0)); ++i) {
    int value;
    if (i < n && number(text + 16 * i, &value))
      numbers[i] = value;
    else
      ++count;
  }
  failures[get_group_id(0)] = count;
}
