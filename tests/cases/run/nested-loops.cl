// Loops four deep, with breaks, continues and returns that depend on data.
// RUN: --grid 2 --block 64 --arg in=u32[128]{random:32} --arg out=u32[128]
kernel void nested(global const uint *in, global uint *out) {
  uint i = get_global_id(0), x = in[i], sum = 0;
  for (uint a = 0; a < (x & 7); ++a) {
    if ((x >> a & 3) == 1)
      continue;
    uint b = 0;
    while (true) {
      if (++b > (x >> 3 & 7))
        break;
      uint c = x >> 6 & 15;
      do {
        sum += a * b + c;
        if ((sum & 31) == 7)
          break;
        if ((sum & 63) == 9)
          continue;
        for (uint d = c; d > 0; d -= d & -d) {
          sum ^= d << a;
          if (sum > 4000000000u) {
            out[i] = sum;
            return;
          }
        }
      } while (c-- > 0);
      if ((sum & 15) == 3)
        goto next;
    }
    sum *= 3;
  next:;
  }
  out[i] = sum;
}
