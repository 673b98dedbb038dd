// The sieve of Eratosthenes by segments: the small primes in local memory, a segment a group.
// RUN: --grid 8 --block 64 --arg flags=u8[4096]
#define SEGMENT 512
kernel void sieve(global uchar *flags) {
  local uchar composite[SEGMENT];
  int self = get_local_id(0), size = get_local_size(0), first = get_group_id(0) * SEGMENT;
  for (int k = self; k < SEGMENT; k += size)
    composite[k] = first + k < 2;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int p = 2; p * p < first + SEGMENT; ++p) {
    bool prime = true;
    for (int d = 2; d * d <= p && prime; ++d)
      prime = p % d != 0;
    if (!prime)
      continue;
    int start = max(p * p, (first + p - 1) / p * p) - first;
    for (int k = start + self * p; k < SEGMENT; k += size * p)
      composite[k] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int k = self; k < SEGMENT; k += size)
    flags[first + k] = !composite[k];
}
