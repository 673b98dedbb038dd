// All shortest paths: the diagonal tile of a phase first, then those that depend on it; the group's place decides.
// RUN: --grid 2 --block 16,16 --arg distance=i32[1024]{20*156,11*370,30*246,14*47,9*11,30*282,23*410,53*31,19*267,39*185,22*400,16*424,11*135,18*483,6*425,46*414,21*410,22*100,15*159,23*322,60*375,59*435,28*45,59*311,26*344,29*260,20*92,20*243,22*46,57*444,40*431,24*4,23*294,50*452,24*435,35*261} --arg n=32 --arg round=0 --arg row_phase=0
// RUN: --grid 2 --block 16,16 --arg distance=i32[1024]{20*156,11*370,30*246,14*47,9*11,30*282,23*410,53*31,19*267,39*185,22*400,16*424,11*135,18*483,6*425,46*414,21*410,22*100,15*159,23*322,60*375,59*435,28*45,59*311,26*344,29*260,20*92,20*243,22*46,57*444,40*431,24*4,23*294,50*452,24*435,35*261} --arg n=32 --arg round=0 --arg row_phase=1
#define TILE 16
static void phase(local int tile[TILE][TILE], local int left[TILE][TILE], local int up[TILE][TILE]) {
  int x = get_local_id(0), y = get_local_id(1);
  for (int k = 0; k < TILE; ++k) {
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[y][x] = min(tile[y][x], left[y][k] + up[k][x]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

kernel void floyd_warshall(global int *distance, int n, int round, int row_phase) {
  local int mine[TILE][TILE], pivot[TILE][TILE];
  int x = get_local_id(0), y = get_local_id(1);
  int tile = get_group_id(0), first = round * TILE;
  pivot[y][x] = distance[(first + y) * n + first + x];
  if (tile == round) {
    phase(pivot, pivot, pivot);
    distance[(first + y) * n + first + x] = pivot[y][x];
    return;
  }
  int at = row_phase ? (first + y) * n + tile * TILE + x : (tile * TILE + y) * n + first + x;
  mine[y][x] = distance[at];
  if (row_phase)
    phase(mine, pivot, mine);
  else
    phase(mine, mine, pivot);
  distance[at] = mine[y][x];
}
