// Atomic types with orders and scopes: fetches, loads, stores, exchanges, loops of compare-and-exchange, flags.
// RUN: --grid 4 --block 32 --arg in=i32[128]{random:152} --arg cells=i32{0,0,2147483647,-2147483648,0,-1,0,0} --arg wide=u64[2] --arg out=i32[128]
kernel void atomics(global const int *in, global volatile atomic_int *cells, global volatile atomic_ulong *wide, global int *out) {
  local atomic_uint turn, product;
  local atomic_flag flag;
  int i = get_global_id(0), x = in[i];
  if (get_local_id(0) == 0) {
    atomic_init(&turn, 0);
    atomic_init(&product, 1);
    atomic_flag_clear(&flag);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_fetch_add(&cells[0], x);
  atomic_fetch_sub_explicit(&cells[1], x, memory_order_relaxed, memory_scope_device);
  atomic_fetch_min_explicit(&cells[2], x, memory_order_acq_rel, memory_scope_device);
  atomic_fetch_max_explicit(&cells[3], x, memory_order_acquire, memory_scope_all_svm_devices);
  atomic_fetch_or(&cells[4], x & 0x01010101);
  atomic_fetch_and(&cells[5], x | 0x00ffff00);
  atomic_fetch_xor_explicit(&cells[6], x, memory_order_release, memory_scope_device);
  atomic_fetch_add(&wide[0], (ulong)x * 3);
  if (!atomic_flag_test_and_set_explicit(&flag, memory_order_relaxed, memory_scope_work_group))
    atomic_fetch_add(&wide[1], (ulong)1);
  uint expected = atomic_load_explicit(&product, memory_order_relaxed, memory_scope_work_group);
  while (!atomic_compare_exchange_strong_explicit(&product, &expected, expected * (x | 1), memory_order_relaxed,
                                                  memory_order_relaxed, memory_scope_work_group))
    ;
  atomic_fetch_add_explicit(&turn, 1, memory_order_relaxed, memory_scope_work_group);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = atomic_load(&product) + atomic_load(&turn);
  if (i == 9)
    atomic_store(&cells[7], atomic_exchange(&cells[7], x) + x);
}
