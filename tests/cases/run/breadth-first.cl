// Levels of a graph on a ring with chords, by one group: rounds until nothing changes.
// RUN: --grid 1 --block 64 --arg chords=u8[64]{random:67} --arg level=i32[64]
kernel void levels(global const uchar *chords, global int *level) {
  local int old[64], now[64], changed;
  int self = get_local_id(0);
  now[self] = self == 5 ? 0 : -1;
  int chord = chords[self] & 63;
  for (int round = 0;; ++round) {
    barrier(CLK_LOCAL_MEM_FENCE);
    old[self] = now[self];
    if (self == 0)
      changed = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (old[self] < 0) {
      int neighbours[3] = {(self + 1) & 63, (self + 63) & 63, chord};
      for (int k = 0; k < 3; ++k)
        if (old[neighbours[k]] == round) {
          now[self] = round + 1;
          atomic_or(&changed, 1);
          break;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!changed)
      break;
  }
  level[self] = now[self];
}
