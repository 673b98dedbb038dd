// The largest element of a group and the first place of it, and how many there are.
// RUN: --grid 4 --block 64 --arg in=u8[256]{random:46} --arg out=u32[12]
// RUN: --grid 1 --block 32 --arg in=u8[32]{16*9,16*9} --arg out=u32[3]
kernel void argmax(global const uchar *in, global uint *out) {
  local uint values[64], places[64];
  local uint count;
  uint self = get_local_id(0), group = get_group_id(0);
  values[self] = in[get_global_id(0)];
  places[self] = self;
  if (self == 0)
    count = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint reach = get_local_size(0) / 2; reach > 0; reach /= 2) {
    if (self < reach) {
      uint other = self + reach;
      bool better = values[other] > values[self] || (values[other] == values[self] && places[other] < places[self]);
      values[self] = better ? values[other] : values[self];
      places[self] = better ? places[other] : places[self];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (in[get_global_id(0)] == values[0])
    atomic_inc(&count);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (self == 0) {
    out[3 * group] = values[0];
    out[3 * group + 1] = places[0];
    out[3 * group + 2] = count;
  }
}
