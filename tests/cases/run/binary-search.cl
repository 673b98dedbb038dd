// Lower and upper bounds in a sorted table, without branches and with an early end.
// RUN: --grid 2 --block 64 --arg table=u32[200]{iota} --arg in=u8[128]{random:64} --arg out=u32[384]
// RUN: --grid 1 --block 64 --arg table=u32[200]{50*3,50*17,50*18,50*255} --arg in=u8[64]{random:65} --arg out=u32[192]
#define N 200
kernel void search(global const uint *table, global const uchar *in, global uint *out) {
  int i = get_global_id(0);
  uint key = in[i], low = 0, high = N;
  while (low < high) {
    uint middle = (low + high) / 2;
    if (table[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  out[3 * i] = low;
  uint at = 0;
  for (uint reach = 128; reach > 0; reach >>= 1)
    at += at + reach <= N && table[at + reach - 1] <= key ? reach : 0;
  out[3 * i + 1] = at;
  uint found = ~0u;
  for (int a = 0, b = N - 1; a <= b;) {
    int middle = (a + b) >> 1;
    uint here = table[middle];
    if (here == key) {
      found = here * 2;
      break;
    }
    here < key ? (a = middle + 1) : (b = middle - 1);
  }
  out[3 * i + 2] = found;
}
