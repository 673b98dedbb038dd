kernel void spin_lock(global int *lock, global int *shared_sum, global const int *in) {
  atomic_add(shared_sum, in[get_global_id(0)]);
}
