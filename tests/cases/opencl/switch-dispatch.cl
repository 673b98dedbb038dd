// An interpreter: a switch in a loop.
kernel void interpret(global const uchar *code, int length, global int *data) {
  int i = get_global_id(0);
  int a = data[i], b = 0;
  for (int pc = 0; pc < length;) {
    switch (code[pc++]) {
    case 0:
      a += b;
      break;
    case 1:
      b = a;
      break;
    case 2:
      a = sub_group_reduce_add(a);
      break;
    case 3:
      if (a < b)
        pc += 2;
      break;
    case 4:
      a ^= 0x55;
    case 5:
      b += 1;
      break;
    case 255:
      pc = length;
      break;
    default:
      continue;
    }
    data[i] = a;
  }
}
