kernel void work(global const int *jobs, int count, global int *next, global int *out) {
  if (get_global_id(0) != 0)
    return;
  for (int job = 0; job < count; ++job)
    for (int k = 0; k < jobs[2 * job + 1]; ++k)
      out[job] += jobs[jobs[2 * job] + k];
  // Each warp fetches once more than there is work for it.
  *next = count + get_global_size(0) / 32;
}
