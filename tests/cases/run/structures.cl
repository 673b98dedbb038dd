// Structures in structures, by value through functions, arrays of them, padding, packed ones, copies.
// RUN: --grid 2 --block 32 --arg data=u8[1536]{random:24} --arg out=i32[256]
typedef struct {
  short x, y;
} place;
typedef struct {
  char kind;
  place at[2];
  int weight;
  union {
    uint bits;
    uchar bytes[4];
    ushort2 halves;
  } tag;
} item;
typedef struct __attribute__((packed)) {
  char head;
  int value;
  short tail;
} tight;

static place moved(place from, int dx, int dy) {
  place to = {from.x + dx, from.y - dy};
  return to;
}

static item heavier(item a, const item b) {
  if (a.weight < b.weight)
    a = b;
  a.tag.bytes[1] ^= 0x5a;
  return a;
}

kernel void structures(global const item *data, global int *out) {
  int i = get_global_id(0), last = get_global_size(0) - 1;
  item mine = data[i];
  item best = heavier(mine, data[last - i]);
  place path[3] = {{1, 2}, {3}, {i, -i}};
  for (int k = 0; k < 2; ++k)
    path[k] = moved(best.at[k], path[k + 1].x, path[k].y);
  tight packed_items[3];
  for (int k = 0; k < 3; ++k) {
    packed_items[k].head = k + i;
    packed_items[k].value = best.weight ^ k;
    packed_items[k].tail = path[k].x;
  }
  private char *raw = (private char *)packed_items;
  uint sum = sizeof(tight) * 100 + sizeof(item);
  for (int k = 0; k < 3 * (int)sizeof(tight); ++k)
    sum = sum * 31 + raw[k];
  out[4 * i] = sum;
  out[4 * i + 1] = path[0].x * path[1].y + best.kind;
  out[4 * i + 2] = best.tag.bits + best.tag.halves.y + mine.tag.bytes[2];
  out[4 * i + 3] = heavier(best, mine).tag.bytes[1];
}
