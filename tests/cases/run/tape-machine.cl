// Programs of eight instructions on a tape of bytes; loops of the program are found by walking it.
// RUN: --grid 1 --block 16 --arg program=u8{43,43,43,43,91,62,43,43,43,60,45,93,62,91,45,62,43,43,60,93,62,46} --arg size=22 --arg out=u8[64]
// RUN: --grid 1 --block 4 --arg program=u8{44,91,62,43,62,43,60,60,45,93,62,46,62,46} --arg size=14 --arg out=u8[16]
kernel void interpret(global const uchar *program, int size, global uchar *out) {
  uchar tape[32];
  int i = get_global_id(0), at = 0, written = 0;
  for (int k = 0; k < 32; ++k)
    tape[k] = 0;
  tape[2] = i;
  for (int pc = 0, steps = 0; pc < size && steps < 2000; ++pc, ++steps) {
    switch (program[pc]) {
    case '>': at = (at + 1) & 31; break;
    case '<': at = (at - 1) & 31; break;
    case '+': ++tape[at]; break;
    case '-': --tape[at]; break;
    case '.':
      if (written < 4)
        out[4 * i + written++] = tape[at];
      break;
    case ',': tape[at] = i * 3 + 1; break;
    case '[':
      if (tape[at] == 0)
        for (int depth = 1; depth > 0;) {
          ++pc;
          depth += program[pc] == '[' ? 1 : program[pc] == ']' ? -1 : 0;
        }
      break;
    case ']':
      if (tape[at] != 0)
        for (int depth = 1; depth > 0;) {
          --pc;
          depth += program[pc] == ']' ? 1 : program[pc] == '[' ? -1 : 0;
        }
      break;
    }
  }
}
