kernel void generic_addresses(global int *data, global int *out) {
  int i = get_global_id(0), first = i & ~3, which = data[i] & 3, sums[3] = {0, 0, 0};
  for (int k = 0; k < 4; ++k) {
    sums[0] = sums[0] * 5 + (data[first + k] >> 10);
    sums[1] = sums[1] * 5 + ((data[first + k] ^ 0xff00) >> 10);
    sums[2] = sums[2] * 5 + ((i * 1000 + k * 77) >> 10);
  }
  out[3 * i] = sums[0] + sums[1] + sums[2];
  out[3 * i + 1] = sums[which % 3];
  out[3 * i + 2] = 1 << which % 3;
}
