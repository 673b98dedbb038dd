// Half-precision numbers as a format of storage: every one of them read, and numbers rounded to it in each way.
// ONLY: pocl because Oclgrind rounds halves towards zero
// RUN: --grid 256 --block 256 --arg in=u16[65536]{iota} --arg floats=f32[65536]{random:23} --arg wide=f32[65536] --arg narrow=u16[65536]
kernel void halves(global const half *in, global const float *floats, global float *wide, global half *narrow) {
  int i = get_global_id(0);
  wide[i] = vload_half(i, in);
  float x = floats[i];
  float scaled = ldexp(x - 0.5f, i % 48 - 28);
  switch (i & 3) {
  case 0: vstore_half(scaled, i, narrow); break;
  case 1: vstore_half_rtz(scaled, i, narrow); break;
  case 2: vstore_half_rtp(scaled, i, narrow); break;
  case 3: vstore_half_rtn(scaled, i, narrow); break;
  }
}
