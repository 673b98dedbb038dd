// Pointers of three address spaces through one helper, structures by value, private arrays.
typedef struct {
  int key;
  float weight[4];
  short2 place;
} item;

static float weigh(const float *w, int n) {
  float sum = 0.0f;
  for (int i = 0; i < n; ++i)
    sum += w[i];
  return sum;
}

static item heavier(item a, item b) { return weigh(a.weight, 4) >= weigh(b.weight, 4) ? a : b; }

kernel void generic_pointers(global item *items, global float *out, constant float *table) {
  local float shared_table[16];
  float mine[4] = {1.0f, 2.0f, 3.0f};
  int self = get_global_id(0);
  shared_table[self & 15] = table[self & 15];
  barrier(CLK_LOCAL_MEM_FENCE);
  item best = heavier(items[self], items[self + 1]);
  mine[best.key & 3] += 1.0f;
  out[self] = weigh(mine, 4) + weigh(shared_table, 16) + weigh(items[self].weight, best.place.x);
}
