// A linear congruential generator with a branch on its lowest bit; threads of a group swap what they get.
// RUN: --grid 4 --block 64 --arg out=u32[256] --arg n=200
// RUN: --grid 2 --block 64 --arg out=u32[128] --arg n=0
kernel void lcg(global uint *out, uint n) {
  uint id = get_global_id(0), x = id + 1;
  local uint tmp[64];
  for (uint i = 0; i < n; i++) {
    x = x * 1664525u + 1013904223u;
    if (x & 1u)
      x ^= x >> 7;
  }
  tmp[get_local_id(0)] = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[id] = tmp[63 - get_local_id(0)];
}
