// Broken twin of bfs-step: a barrier for each edge, but nodes differ in how many they have.
kernel void bfs_step(global const uint *degrees, global const uint *targets, global volatile int *level, int now) {
  uint node = get_global_id(0);
  uint degree = degrees[node]; // CAUSE
  for (uint edge = 0; edge < degree; ++edge) {
    atomic_cmpxchg(&level[targets[edge]], -1, now + 1);
    barrier(CLK_GLOBAL_MEM_FENCE); // EXPECT: RC0209 warning
  }
}
