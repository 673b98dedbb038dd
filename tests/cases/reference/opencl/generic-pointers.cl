typedef struct {
  int key;
  float weight[4];
  short2 place;
} item;

kernel void generic_pointers(global item *items, global float *out, constant float *table) {
  int self = get_global_id(0);
  float mine[4] = {1.0f, 2.0f, 3.0f, 0.0f}, weights[2] = {0.0f, 0.0f};
  for (int k = 0; k < 2; ++k)
    for (int w = 0; w < 4; ++w)
      weights[k] += items[self + k].weight[w];
  item best = items[weights[0] >= weights[1] ? self : self + 1];
  mine[best.key & 3] += 1.0f;
  float a = 0.0f, b = 0.0f, c = 0.0f;
  for (int k = 0; k < 4; ++k)
    a += mine[k];
  for (int k = 0; k < 16; ++k)
    b += table[k];
  for (int k = 0; k < best.place.x; ++k)
    c += items[self].weight[k];
  out[self] = a + b + c;
}
