// Broken twin of switch-dispatch: every work-item has a program of its own, and an instruction that waits.
kernel void interpret(global const uchar *code, int length, global int *data) {
  int i = get_global_id(0);
  int a = data[i], b = 0;
  for (int pc = 0; pc < length; ++pc) {
    switch (code[i * length + pc]) { // CAUSE
    case 0:
      a += b;
      break;
    case 1:
      b = a;
      break;
    case 2:
      data[i] = a;
      barrier(CLK_GLOBAL_MEM_FENCE); // EXPECT: RC0202 warning
      break;
    case 4:
      a ^= 0x55;
    default:
      b += 1;
    }
  }
  data[i] = a;
}
