// An option's price: a counter-based generator, paths of the same length, a sum over sub-groups and groups.
// RUN: --grid 2 --block 64 --arg start=100 --arg strike=95 --arg drift=0.001 --arg volatility=0.02 --arg steps=20 --arg key=7 --arg sums=f32[2]
// TOLERANCE: sums=0.1
static uint2 mix(uint2 counter, uint key) {
  for (int round = 0; round < 10; ++round) {
    uint high = mul_hi(counter.x, 0xD256D193u), low = counter.x * 0xD256D193u;
    counter = (uint2)(high ^ key ^ counter.y, low);
    key += 0x9E3779B9u;
  }
  return counter;
}

kernel void price(float start, float strike, float drift, float volatility, int steps, uint key, global float *sums) {
  local float partial[64];
  float price = start;
  for (int step = 0; step < steps; ++step) {
    uint2 bits = mix((uint2)(get_global_id(0), step), key);
    float u = (bits.x + 1.0f) * 0x1p-32f, v = bits.y * 0x1p-32f;
    price *= exp(drift + volatility * sqrt(-2.0f * log(u)) * cospi(2.0f * v));
    if (price < 0.01f * start) {
      price = 0.0f;
      break;
    }
  }
  float sum = sub_group_reduce_add(fmax(price - strike, 0.0f));
  if (get_sub_group_local_id() == 0)
    partial[get_sub_group_id()] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    float total = 0.0f;
    for (uint group = 0; group < get_num_sub_groups(); ++group)
      total += partial[group];
    sums[get_group_id(0)] = total;
  }
}
