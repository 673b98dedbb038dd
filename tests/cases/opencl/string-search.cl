// Knuth, Morris and Pratt on a piece of the text each; the first match of the group wins.
// RUN: --grid 2 --block 32 --arg text=i8[700]{300*97,97,98,97,97,98,50*97,98,97,97,98,97,98,337*97,98,97} --arg length=700 --arg pattern=i8{97,98,97,97,98} --arg back=i32{0,0,1,1,2} --arg size=5 --arg piece=11 --arg first=i32{2147483647}
kernel void find(global const char *text, int length, constant char *pattern, constant int *back, int size,
                 int piece, global volatile int *first) {
  int start = get_global_id(0) * piece;
  int end = min(start + piece + size - 1, length);
  int matched = 0, mine = INT_MAX;
  for (int at = start; at < end; ++at) {
    while (matched > 0 && pattern[matched] != text[at])
      matched = back[matched - 1];
    if (pattern[matched] == text[at])
      ++matched;
    if (matched == size) {
      mine = at - size + 1;
      break;
    }
  }
  int best = work_group_reduce_min(mine);
  if (get_local_id(0) == 0 && best != INT_MAX)
    atomic_min(first, best);
}
