// Threads that come to one operation by different jumps.
kernel void fall(global const uint *way, global uint *out) {
  uint id = get_local_id(0), sum = 0;
  switch (way[id]) {
  case 2: sum += 100;
  case 3: sum += sub_group_non_uniform_reduce_add(1u); break;
  }
  out[id] = sum;
}
