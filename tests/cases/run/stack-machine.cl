// An interpreter with a stack, jumps and a subroutine; each thread has data of its own.
// RUN: --grid 2 --block 32 --arg code=u8{1,0,0,6,4,9,0,1,2,0,13,3,1,7,7,1,5,2,9,8,0,0,0} --arg data=u32[64]{random:75} --arg out=u32[128]
// RUN: --grid 1 --block 8 --arg code=u8{0,1,5,1,200,4,2,3,0,9,1,7,4,8} --arg data=u32[8]{iota} --arg out=u32[16]
enum { LOAD, PUSH, ADD, MULTIPLY, XOR, SUBTRACT, SHIFT, DUPLICATE, HALT, JUMP_IF_ODD };

kernel void interpret(global const uchar *code, global const uint *data, global uint *out) {
  uint stack[16], i = get_global_id(0);
  int top = 0, pc = 0, steps = 0;
  for (; steps < 100; ++steps) {
    uchar op = code[pc++];
    if (top < 2 && op != LOAD && op != PUSH && op != HALT)
      stack[top++] = data[i] + steps;
    if (top < 2 && op != LOAD && op != PUSH && op != HALT)
      stack[top++] = 3;
    if (top > 12)
      top = 2;
    switch (op) {
    case LOAD: stack[top++] = data[i]; continue;
    case PUSH: stack[top++] = code[pc++]; continue;
    case ADD: stack[top - 2] += stack[top - 1]; break;
    case MULTIPLY: stack[top - 2] *= stack[top - 1]; break;
    case XOR: stack[top - 2] ^= stack[top - 1]; break;
    case SUBTRACT: stack[top - 2] -= stack[top - 1]; break;
    case SHIFT: stack[top - 2] = stack[top - 2] >> 7 | stack[top - 1] << 24; break;
    case DUPLICATE: stack[top] = stack[top - 1]; ++top; continue;
    case JUMP_IF_ODD:
      if (stack[--top] & 1)
        pc = max(pc - 8, 0);
      continue;
    default: goto end;
    }
    --top;
  }
end:
  out[2 * i] = top > 0 ? stack[top - 1] : 0;
  out[2 * i + 1] = steps * 100 + pc;
}
