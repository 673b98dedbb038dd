// Functions that call functions: sixteen deep, with structures, pointers and vectors as arguments and results.
// RUN: --grid 2 --block 64 --arg in=u32[128]{random:86} --arg out=u32[256]
#define NOINLINE __attribute__((noinline))
typedef struct {
  uint a, b;
  uchar c[5];
} state;

NOINLINE static uint f0(uint x) { return x * 2654435761u ^ x >> 15; }
NOINLINE static uint f1(uint x) { return x & 1 ? f0(x + 1) : f0(x) * 3; }
NOINLINE static uint f2(uint x) { return f1(x) + f1(x >> 3); }
NOINLINE static uint f3(uint x) {
  uint sum = 0;
  for (uint k = 0; k < (x & 3); ++k)
    sum += f2(x + k);
  return sum + f1(x);
}
NOINLINE static void f4(uint *x, uint y) {
  if (y & 2)
    *x += f3(y);
  else
    *x ^= f2(y);
}
NOINLINE static state f5(state s, uint k) {
  f4(&s.a, s.b + k);
  s.c[k % 5] += s.a;
  s.b = s.c[(k + 1) % 5] + (s.b << 1);
  return s;
}
NOINLINE static uint4 f6(state s, uint4 v) {
  for (uint k = 0; k < v.x % 4; ++k)
    s = f5(s, k + v.y);
  return v.yzwx + (uint4)(s.a, s.b, s.c[0], s.c[4]);
}
NOINLINE static bool f7(uint x, const uint4 *v) { return f0(x) % 3 == v->z % 3; }

kernel void chain(global const uint *in, global uint *out) {
  int i = get_global_id(0);
  state s = {in[i], i, {1, 2, 3, 4, 5}};
  uint4 v = (uint4)(in[i], 1, 2, 3);
  uint turns = 0;
  while (!f7(v.x + turns, &v) && turns < 6) {
    v = f6(s, v);
    s = f5(s, v.w);
    ++turns;
  }
  out[2 * i] = v.x ^ v.y ^ v.z ^ v.w;
  out[2 * i + 1] = s.a + turns;
}
