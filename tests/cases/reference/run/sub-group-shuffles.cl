kernel void shuffles(global const uint *in, global uint *out, uint width) {
  uint i = get_global_id(0), x = in[i], lane = get_local_id(0) % width, votes = 0;
  global const uint *group = in + i - lane;
  global uint *to = out + 8 * i;
  for (uint k = 0; k < width; ++k)
    votes |= (group[k] & 1) << k;
  to[0] = group[(lane * 5 + 3) % width];
  to[1] = group[lane ^ 5];
  to[2] = lane >= 3 ? group[lane - 3] : 0;
  to[3] = lane + 2 < width ? group[lane + 2] : 0;
  to[4] = votes;
  to[5] = popcount(votes) + 100 * popcount(votes & ((1u << lane) - 1));
  uint low = 0, high = 31;
  while (!(votes >> low & 1))
    ++low;
  while (!(votes >> high & 1))
    --high;
  to[6] = (votes >> lane & 1) + 2 * (low + 100 * high);
  to[7] = group[0] ^ group[7] + (lane == 0);
}
