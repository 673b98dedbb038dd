// Wrong on purpose: a barrier in a loop whose count depends on the work-item.
kernel void barrier_in_divergent_loop(global int *data) {
  int self = get_global_id(0);
  for (int i = 0; i < self % 5; ++i) {
    data[self] += data[self + i];
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}
