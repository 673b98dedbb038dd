// A critical section for the first work-item of each group.
// RUN: --grid 4 --block 32 --arg lock=i32[1] --arg shared_sum=i32[1] --arg in=i32[128]{iota}
kernel void spin_lock(global volatile atomic_int *lock, global int *shared_sum, global const int *in) {
  int sum = work_group_reduce_add(in[get_global_id(0)]);
  if (get_local_id(0) == 0) {
    int expected = 0;
    while (!atomic_compare_exchange_weak_explicit(lock, &expected, 1, memory_order_acquire, memory_order_relaxed,
                                                  memory_scope_device))
      expected = 0;
    *shared_sum += sum;
    atomic_store_explicit(lock, 0, memory_order_release, memory_scope_device);
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
}
