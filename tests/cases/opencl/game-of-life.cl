// Sixty-four cells of a row in one word; the rows above and below by shifts and adders.
// ONLY: pocl because Oclgrind has no llvm.fshl
// RUN: --grid 1,2 --block 4,8 --arg in=u64[45]{random:104} --arg out=u64[45] --arg words=3 --arg rows=15
kernel void life(global const ulong *in, global ulong *out, uint words, uint rows) {
  uint word = get_global_id(0), row = get_global_id(1);
  if (word >= words || row >= rows)
    return;
  ulong ones = 0, twos = 0, fours = 0;
  ulong self = in[row * words + word];
  for (int dy = -1; dy <= 1; ++dy) {
    global const ulong *line = in + (row + rows + dy) % rows * words;
    ulong here = line[word];
    ulong left = here << 1 | line[(word + words - 1) % words] >> 63;
    ulong right = here >> 1 | line[(word + 1) % words] << 63;
    for (int part = 0; part < 3; ++part) {
      if (part == 1 && dy == 0)
        continue;
      ulong add = part == 0 ? left : part == 1 ? here : right;
      ulong carry = ones & add;
      ones ^= add;
      fours |= twos & carry;
      twos ^= carry;
    }
  }
  out[row * words + word] = (ones | self) & twos & ~fours;
}
