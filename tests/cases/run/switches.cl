// Dense and sparse switches, fall-through, a default in the middle, a switch on 64 bits, one in another.
// ONLY: pocl because Oclgrind takes the wrong case of a switch on 64 bits
// RUN: --grid 4 --block 64 --arg in=u32[256]{random:29} --arg out=i32[256]
static int dense(uint op, int x) {
  switch (op & 15) {
  case 0: return x + 1;
  case 1: return x * 3;
  case 2: x ^= 5; // falls through
  case 3: x <<= 1; break;
  case 4: return -x;
  default: x -= 17; // falls through
  case 5: x = x > 0 ? x : 9 - x; // falls through
  case 6: x += 100; break;
  case 7: case 8: case 9: x ^= op; break;
  case 10:
    switch (x & 3) {
    case 0: x += 11; break;
    case 2: x += 13; // falls through
    default: x += 17;
    }
    break;
  }
  return x;
}

static int sparse(long op, int x) {
  switch (op) {
  case -1000: return 0;
  case 17: x += 17; break;
  case 4096: x -= 4096; break;
  case 1L << 40: x ^= 3; break;
  case (1L << 40) + 1: x ^= 12; // falls through
  case 99: x += 99; break;
  }
  return x ^ (int)op;
}

kernel void switches(global const uint *in, global int *out) {
  int i = get_global_id(0), x = i * 77;
  uint ops = in[i];
  for (int k = 0; k < 8; ++k, ops >>= 4) {
    x = dense(ops, x) & 0xffff;
    long op = (ops & 7) == 0 ? 17 : (ops & 7) == 1 ? 4096 : (ops & 7) == 2 ? 1L << 40 : (ops & 7) == 3 ? (1L << 40) + 1 : x;
    x = sparse(op, x) & 0xffff;
  }
  out[i] = x;
}
