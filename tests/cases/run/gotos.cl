// A cycle that threads enter at two places, a backward goto, and one out of two loops.
// RUN: --grid 2 --block 64 --arg in=u32[128]{random:30} --arg out=u32[128]
// RUN: --grid 1 --block 7 --arg in=u32[7]{iota} --arg out=u32[7]
kernel void gotos(global const uint *in, global uint *out) {
  uint i = get_global_id(0), x = in[i], turns = 0;
  if (x & 1)
    goto odd;
even:
  x = x / 2 + 3;
  ++turns;
  if (turns > 200)
    goto done;
  if (!(x & 1))
    goto even;
odd:
  x = x * 5 + 2;
  ++turns;
  if (x % 7 == 0)
    goto even;
  if (turns < 60)
    goto odd;
  for (uint a = 0; a < 10; ++a)
    for (uint b = 0; b < 10; ++b) {
      x += a * b;
      if (x % 11 == i % 11)
        goto done;
    }
done:
  out[i] = x * 1000 + turns;
}
