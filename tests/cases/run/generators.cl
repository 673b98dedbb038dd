// Random number generators with 32, 64 and 128 bits of state, and one of 64 words in private memory.
// RUN: --grid 2 --block 64 --arg seeds=u64[128]{random:41} --arg out=u32[640] --arg rounds=50
typedef struct {
  ulong state, step;
} permuted;

static uint next(permuted *g) {
  ulong old = g->state;
  g->state = old * 6364136223846793005UL + g->step;
  uint mixed = (uint)((old >> 18 ^ old) >> 27), turn = old >> 59;
  return mixed >> turn | mixed << (-turn & 31);
}

kernel void generators(global const ulong *seeds, global uint *out, int rounds) {
  int i = get_global_id(0);
  ulong seed = seeds[i];
  uint x = (uint)seed | 1, sum = 0;
  for (int k = 0; k < rounds; ++k) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    sum += x;
  }
  out[5 * i] = sum;
  permuted g = {seed, seed >> 32 | 1};
  for (int k = sum = 0; k < rounds; ++k)
    sum = sum * 5 + next(&g);
  out[5 * i + 1] = sum;
  ulong2 s = (ulong2)(seed, ~seed * 3);
  for (int k = 0; k < rounds; ++k) {
    ulong a = s.x, b = s.y;
    s.x = b;
    a ^= a << 23;
    s.y = a ^ b ^ a >> 18 ^ b >> 5;
  }
  out[5 * i + 2] = (uint)(s.x + s.y >> 16);
  uint lagged[64];
  for (int k = 0; k < 64; ++k)
    lagged[k] = x = x * 1664525u + 1013904223u;
  for (int k = 0; k < rounds * 4; ++k)
    lagged[k & 63] += lagged[(k + 64 - 24) & 63] ^ lagged[(k + 64 - 55) & 63] >> 1;
  out[5 * i + 3] = lagged[rounds & 63] ^ lagged[0];
  ulong m = seed % 2147483647;
  for (int k = 0; k < rounds; ++k)
    m = m * 48271 % 2147483647;
  out[5 * i + 4] = (uint)m;
}
