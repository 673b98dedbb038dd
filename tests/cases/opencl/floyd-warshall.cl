// All shortest paths: the diagonal tile of a phase first, then those that depend on it; the group's place decides.
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
