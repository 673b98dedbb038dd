// Variables of the program: tables with pointers into each other, structures, counters in global memory.
// RUN: --grid 2 --block 32 --arg in=u32[64]{random:153} --arg out=u32[128]
typedef struct {
  constant char *name;
  ushort sizes[3];
  double factor;
} entry;

constant char first[] = "abc", second[] = "longer";
constant entry entries[3] = {{first, {1, 2, 3}, 0.5}, {second, {40, 50, 60}, -2.0}, {first + 1, {7}, 1e3}};
constant int matrix[2][3] = {{1, 2, 3}, {4, 5}};
constant int *constant rows[3] = {matrix[1], matrix[0] + 1, &matrix[1][1]};
global uint counter = 5;
global uint table[4] = {10, 20};

kernel void lookup(global const uint *in, global uint *out) {
  int i = get_global_id(0);
  uint x = in[i], sum = 0;
  constant entry *e = &entries[x % 3];
  for (constant char *c = e->name; *c; ++c)
    sum = sum * 7 + *c;
  out[2 * i] = sum + e->sizes[x >> 4 & 1] + (uint)(int)(e->factor * 4.0);
  out[2 * i + 1] = rows[x >> 8 & 1][x >> 9 & 1] + table[x >> 10 & 3] + counter;
}
