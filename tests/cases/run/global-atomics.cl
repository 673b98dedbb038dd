// Every atomic whose result does not depend on the order, on global memory, of all groups.
// RUN: --grid 4 --block 64 --arg in=i32[256]{random:49} --arg cells=i32{0,0,0,0,2147483647,-2147483648,0,-1,0,0,0,5} --arg unsigned_cells=u32{4294967295,0,0} --arg sum=f32[1]
kernel void atomics(global const int *in, global int *cells, global uint *unsigned_cells, global float *sum) {
  int x = in[get_global_id(0)];
  atomic_add(&cells[0], x);
  atomic_sub(&cells[1], x);
  atomic_inc(&cells[2]);
  atomic_dec(&cells[3]);
  atomic_min(&cells[4], x);
  atomic_max(&cells[5], x);
  atomic_or(&cells[6], x & 0x11111111 << (x & 3));
  atomic_and(&cells[7], x | 0x7f0f0f00);
  atomic_xor(&cells[8], x);
  atomic_min(&unsigned_cells[0], (uint)x);
  atomic_max(&unsigned_cells[1], (uint)x);
  if (get_global_id(0) == 77)
    cells[9] = atomic_xchg(&cells[10], x);
  else if (get_global_id(0) == 100)
    atomic_cmpxchg(&cells[11], 5, x);
  // A sum of small whole numbers does not depend on the order either.
  volatile global uint *bits = (volatile global uint *)sum;
  uint old, expected = atomic_or(bits, 0u);
  do {
    old = expected;
    expected = atomic_cmpxchg(bits, old, as_uint(as_float(old) + (float)(x & 15)));
  } while (expected != old);
}
