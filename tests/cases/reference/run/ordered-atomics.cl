#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
kernel void atomics(global const int *in, global int *cells, global ulong *wide, global int *out) {
  int i = get_global_id(0), x = in[i];
  atomic_add(&cells[0], x);
  atomic_sub(&cells[1], x);
  atomic_min(&cells[2], x);
  atomic_max(&cells[3], x);
  atomic_or(&cells[4], x & 0x01010101);
  atomic_and(&cells[5], x | 0x00ffff00);
  atomic_xor(&cells[6], x);
  atom_add(&wide[0], (ulong)x * 3);
  if (get_local_id(0) == 0)
    atom_add(&wide[1], 1UL);
  uint product = 1;
  for (int k = 0; k < 32; ++k)
    product *= in[i - get_local_id(0) + k] | 1;
  out[i] = product + 32;
  if (i == 9)
    cells[7] = x;
}
