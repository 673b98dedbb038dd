// One function for pointers into each address space; which space it is, is found out at run time.
// RUN: --grid 2 --block 32 --arg data=i32[64]{random:151} --arg out=i32[192]
static int total(const int *from, int count) {
  int sum = 0;
  for (int k = 0; k < count; ++k)
    sum = sum * 5 + (from[k] >> 10);
  return sum;
}

__attribute__((noinline)) static int *choose(int which, global int *a, local int *b, private int *c) {
  int *chosen = a;
  if (which == 1)
    chosen = b;
  else if (which == 2)
    chosen = c;
  return chosen;
}

kernel void generic_addresses(global int *data, global int *out) {
  local int shared_part[32];
  int mine[4], i = get_global_id(0), self = get_local_id(0);
  for (int k = 0; k < 4; ++k)
    mine[k] = i * 1000 + k * 77;
  shared_part[self] = data[i] ^ 0xff00;
  barrier(CLK_LOCAL_MEM_FENCE);
  int first = self & ~3;
  out[3 * i] = total(data + get_group_id(0) * 32 + first, 4) + total(shared_part + first, 4) + total(mine, 4);
  int *pointer = choose(data[i] & 3, data + (i & ~3), shared_part + first, mine);
  int spaces = (to_global(pointer) != 0) + 2 * (to_local(pointer) != 0) + 4 * (to_private(pointer) != 0);
  out[3 * i + 1] = total(pointer, 4);
  out[3 * i + 2] = spaces;
}
