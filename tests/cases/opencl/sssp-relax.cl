// One round of Bellman-Ford over the out-edges of each node whose distance has changed.
kernel void relax(global const int *offsets, global const int *targets, global const int *weights,
                  global volatile int *distance, global const int *active, global int *next_active, int nodes) {
  for (int node = get_global_id(0); node < nodes; node += get_global_size(0)) {
    if (!active[node])
      continue;
    int here = distance[node];
    for (int e = offsets[node], end = offsets[node + 1]; e < end; ++e) {
      int through = here + weights[e];
      if (through < here)
        break;
      if (through < atomic_min(&distance[targets[e]], through))
        next_active[targets[e]] = 1;
    }
  }
}
