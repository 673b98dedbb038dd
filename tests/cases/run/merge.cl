// Merges two sorted halves of a group's keys: each thread finds its diagonal and merges a few.
// RUN: --grid 2 --block 16 --arg in=u32[256]{random:66} --arg out=u32[256]
#define EACH 8
kernel void merge(global const uint *in, global uint *out) {
  local uint keys[128];
  int self = get_local_id(0), half_size = 64, first = get_group_id(0) * 128;
  for (int k = self; k < 128; k += 16)
    keys[k] = in[first + k];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (self < 2) {
    local uint *part = keys + self * half_size;
    for (int k = 1; k < half_size; ++k) {
      uint key = part[k];
      int at = k;
      for (; at > 0 && part[at - 1] > key; --at)
        part[at] = part[at - 1];
      part[at] = key;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int diagonal = self * EACH, low = max(0, diagonal - half_size), high = min(diagonal, half_size);
  while (low < high) {
    int middle = (low + high) / 2;
    if (keys[middle] <= keys[half_size + diagonal - 1 - middle])
      low = middle + 1;
    else
      high = middle;
  }
  int a = low, b = half_size + diagonal - low;
  for (int k = 0; k < EACH; ++k)
    out[first + diagonal + k] = b >= 128 || (a < half_size && keys[a] <= keys[b]) ? keys[a++] : keys[b++];
}
