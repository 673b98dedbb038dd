// Loops three deep, with breaks and a flag that leaves two of them.
kernel void nested_breaks(global const int *in, global int *out, int n) {
  int self = get_global_id(0);
  int hits = 0;
  for (int i = 0; i < n; ++i) {
    bool done = false;
    for (int j = i; j < n && !done; ++j) {
      if (in[j] == self)
        break;
      for (int k = 0; k < j; ++k) {
        if (in[k] > in[j])
          break;
        hits += sub_group_any(in[k] == self);
        if (hits > 1000) {
          done = true;
          break;
        }
      }
    }
    if (done)
      break;
  }
  out[self] = hits;
}
