// Atomics of 64 bits, which are an extension.
// RUN: --grid 4 --block 64 --arg in=i64[256]{random:51} --arg cells=i64{0,0,9223372036854775807,-9223372036854775808,0,-1,0}
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
kernel void atomics(global const long *in, global long *cells) {
  long x = in[get_global_id(0)];
  atom_add(&cells[0], x);
  atom_sub(&cells[1], x);
  atom_min(&cells[2], x);
  atom_max(&cells[3], x);
  atom_or(&cells[4], x & 0x1248124812481248L);
  atom_and(&cells[5], x | 0x7777777700000000L);
  atom_xor(&cells[6], x);
}
