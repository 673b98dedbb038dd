// Shuffles of sub-groups, by index, by exclusive or, up and down, and ballots with what can be asked of them.
// RUN: --grid 2 --block 64 --subgroup 32 --arg in=u32[128]{random:144} --arg out=u32[1024] --arg width=32
// RUN: --grid 1 --block 64 --subgroup 16 --arg in=u32[64]{random:145} --arg out=u32[512] --arg width=16
// FLAGS: -cl-std=CL3.0 -Xclang -cl-ext=+all
kernel void shuffles(global const uint *in, global uint *out, uint width) {
  uint i = get_global_id(0), x = in[i], lane = get_sub_group_local_id();
  global uint *to = out + 8 * i;
  to[0] = sub_group_shuffle(x, (lane * 5 + 3) % width);
  to[1] = sub_group_shuffle_xor(x, 5);
  uint up = sub_group_shuffle_up(x, 3), down = sub_group_shuffle_down(x, 2);
  to[2] = lane >= 3 ? up : 0;
  to[3] = lane + 2 < width ? down : 0;
  uint4 votes = sub_group_ballot(x & 1);
  to[4] = votes.x + votes.y + votes.z + votes.w;
  to[5] = sub_group_ballot_bit_count(votes) + 100 * sub_group_ballot_exclusive_scan(votes);
  to[6] = sub_group_inverse_ballot(votes) + 2 * (sub_group_ballot_find_lsb(votes) + 100 * sub_group_ballot_find_msb(votes));
  to[7] = sub_group_broadcast_first(x) ^ sub_group_non_uniform_broadcast(x, 7) + sub_group_elect();
}
