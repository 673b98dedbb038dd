// EXPECT: RC0302
// Threads go round by `goto`: who of them is together at the ballot is up to the compiler.
kernel void retry(global const uint *rounds, global uint4 *ballots) {
  uint left = rounds[get_local_id(0)];
again:
  ballots[get_local_id(0)] = sub_group_ballot(left == 1);
  if (left--)
    goto again;
}
