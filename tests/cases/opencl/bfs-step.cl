// One level of a breadth-first search; the length of the inner loop is a property of the node.
kernel void bfs_step(global const uint *offsets, global const uint *targets, global volatile int *level, uint nodes,
                     int now, global volatile int *changed) {
  uint node = get_global_id(0);
  if (node >= nodes || level[node] != now)
    return;
  for (uint edge = offsets[node]; edge < offsets[node + 1]; ++edge) {
    uint next = targets[edge];
    if (atomic_cmpxchg(&level[next], -1, now + 1) == -1)
      *changed = 1;
  }
}
