// Local histogram with atomics, merged into the global one.
// RUN: --grid 4 --block 64 --arg pixels=u8[3000]{random:107} --arg n=3000 --arg bins=u32[256]
#define BINS 256
kernel void histogram(global const uchar *pixels, uint n, global volatile uint *bins) {
  local volatile uint mine[BINS];
  for (uint bin = get_local_id(0); bin < BINS; bin += get_local_size(0))
    mine[bin] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_global_id(0); i < n; i += get_global_size(0))
    atomic_inc(&mine[pixels[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint bin = get_local_id(0); bin < BINS; bin += get_local_size(0)) {
    uint count = mine[bin];
    if (count != 0)
      atomic_add(&bins[bin], count);
  }
}
