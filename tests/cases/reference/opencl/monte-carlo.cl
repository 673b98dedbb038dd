static float of_path(float start, float strike, float drift, float volatility, int steps, uint key, uint path) {
  float price = start;
  for (int step_number = 0; step_number < steps; ++step_number) {
    uint x = path, y = step_number, k = key;
    for (int round_number = 0; round_number < 10; ++round_number) {
      ulong product = (ulong)x * 0xD256D193u;
      x = (uint)(product >> 32) ^ k ^ y;
      y = (uint)product;
      k += 0x9E3779B9u;
    }
    float u = (x + 1.0f) * 0x1p-32f, v = y * 0x1p-32f;
    price *= exp(drift + volatility * sqrt(-2.0f * log(u)) * cos(2.0f * M_PI_F * v));
    if (price < 0.01f * start)
      return 0.0f;
  }
  return price;
}

kernel void price(float start, float strike, float drift, float volatility, int steps, uint key, global float *sums) {
  if (get_local_id(0) != 0)
    return;
  float total = 0.0f;
  for (uint k = 0; k < get_local_size(0); ++k)
    total += fmax(of_path(start, strike, drift, volatility, steps, key, get_global_id(0) + k) - strike, 0.0f);
  sums[get_group_id(0)] = total;
}
