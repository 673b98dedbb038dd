// A backward goto as a loop, and a forward goto out of it.
kernel void goto_retry(global volatile int *slots, global int *out, int n) {
  int i = get_global_id(0);
  int slot = i % n;
retry:
  if (atomic_cmpxchg(&slots[slot], 0, i + 1) == 0)
    goto found;
  slot = (slot + 1) % n;
  if (slot != i % n)
    goto retry;
  out[i] = -1;
  return;
found:
  out[i] = slot;
  work_group_barrier(CLK_GLOBAL_MEM_FENCE);
}
