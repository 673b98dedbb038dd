// A switch into the middle of a loop.
// RUN: --grid 2 --block 32 --arg in=u8[1088]{random:31} --arg out=u32[64]
kernel void copy(global const uchar *in, global uint *out) {
  int i = get_global_id(0), count = i % 29 + 1, turns = (count + 7) / 8;
  global const uchar *from = in + 17 * i;
  uint sum = 0;
  switch (count % 8) {
  case 0:
    do {
      sum = sum * 31 + *from++;
    case 7: sum = sum * 31 + *from++;
    case 6: sum = sum * 31 + *from++;
    case 5: sum = sum * 31 + *from++;
    case 4: sum = sum * 31 + *from++;
    case 3: sum = sum * 31 + *from++;
    case 2: sum = sum * 31 + *from++;
    case 1: sum = sum * 31 + *from++;
    } while (--turns > 0);
  }
  out[i] = sum;
}
