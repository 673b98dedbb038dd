// Broken twin of histogram: the barrier is in the loop over the pixels, which some work-items leave first.
#define BINS 256
kernel void histogram(global const uchar *pixels, uint n, global volatile uint *bins) {
  local volatile uint mine[BINS];
  for (uint bin = get_local_id(0); bin < BINS; bin += get_local_size(0))
    mine[bin] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_global_id(0); // CAUSE
       i < n; i += get_global_size(0)) {
    atomic_inc(&mine[pixels[i]]);
    barrier(CLK_LOCAL_MEM_FENCE); // EXPECT: RC0202 warning
  }
  for (uint bin = get_local_id(0); bin < BINS; bin += get_local_size(0))
    atomic_add(&bins[bin], mine[bin]);
}
