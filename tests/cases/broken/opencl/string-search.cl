// Broken twin of string-search: the vote is on the right of an operator that does not always look there.
kernel void find(global const char *text, int length, char wanted, global int *out) {
  int i = get_global_id(0); // CAUSE
  int found = 0;
  if (i < length
      && sub_group_any(text[i] == wanted)) // EXPECT: RC0204 warning
    found = 1;
  out[i] = found;
}
