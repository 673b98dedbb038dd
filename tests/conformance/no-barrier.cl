// Threads that execute an operation together, and write and read memory around it.
kernel void no_barrier(global uint *out) {
  local uint shared[4];
  uint id = get_local_id(0);
  shared[id] = id;
  sub_group_reduce_add(1u);
  out[id] = shared[(id + 1) & 3];
}
