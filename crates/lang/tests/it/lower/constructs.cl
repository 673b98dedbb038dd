// What the cases do not have: constants of unions and packed structures, long ranges of cases, kernels that are called, wide integers in structures.
// RUN: --kernel constants --grid 1 --block 4 --arg out=u32[64]
// RUN: --kernel ranges --grid 1 --block 64 --arg out=i32[64]
// RUN: --kernel outer --grid 1 --block 4 --arg out=i32[4]
// RUN: --kernel places --grid 1 --block 4 --arg out=i32[64]
// RUN: --kernel flows --grid 1 --block 16 --arg out=i32[64]
typedef union {
  uint bits;
  uchar bytes[4];
  float number;
} word;
typedef struct {
  char kind;
  word value;
  struct __attribute__((packed)) {
    char head;
    long wide;
    float3 direction;
  } tight;
  bool flag;
  const constant uint *where;
} entry;

constant uint numbers[4] = {10, 20, 30};
constant entry table[2] = {
    {'a', {0x01020304u}, {1, -2, (float3)(1.0f, 2.0f, 3.0f)}, true, &numbers[2]},
    {.kind = 'b', .value = {.bits = 7}, .flag = false, .where = numbers},
};
constant word words[3] = {{1}, {2}};
constant short grid[2][3] = {{1, 2, 3}, {4}};
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
constant half halves[2] = {1.5h, -0.25h};
constant char text[8] = "abc\n\"";

kernel void constants(global uint *out) {
  int i = get_global_id(0);
  constant entry *e = &table[i & 1];
  global uint *at = out + 16 * i;
  at[0] = e->kind;
  at[1] = e->value.bytes[i];
  at[2] = (uint)e->tight.wide;
  at[3] = as_uint(e->tight.direction.z);
  at[4] = e->flag;
  at[5] = e->where ? e->where[0] : 0;
  at[6] = words[i % 3].bits;
  at[7] = grid[i & 1][i % 3];
  at[8] = as_uint(vload_half(i & 1, halves));
  at[9] = text[i + 1];
  at[10] = sizeof(entry);
  at[11] = sizeof(table[0].tight);
}

kernel void ranges(global int *out) {
  int i = get_global_id(0) * 37 - 500;
  switch (i) {
  case -2000 ... -100:
    out[get_global_id(0)] = 1;
    break;
  case 3 ... 40:
    out[get_global_id(0)] = 2;
  case 1000 ... 1500:
    out[get_global_id(0)] += 3;
    break;
  case 50:
    break;
  default:
    out[get_global_id(0)] = 4;
  }
  ulong far = (ulong)i;
  switch (far) {
  case 0xfffffffffffffe0cul:
    out[get_global_id(0)] += 10;
    break;
  case 0x8000000000000000ul ... 0xfffffffffffffe00ul:
    out[get_global_id(0)] += 20;
  }
}

kernel void inner(global int *out, int add) { out[get_global_id(0)] += add; }

kernel void outer(global int *out) {
  inner(out, 5);
  inner(out, get_local_id(0));
}

typedef struct {
  int4 v;
  bool set[3];
  short s;
} record;

static record made(int i) {
  record r = {.v = (int4)(i, i + 1, i + 2, i + 3), .set = {i & 1, true, i & 2}, .s = (short)(i << 12)};
  return r;
}

kernel void places(global int *out) {
  int i = get_global_id(0);
  global int *at = out + 16 * i;
  record r = made(i), copy;
  copy = r;
  copy.v.wx = copy.v.yz;
  copy.v.hi.x += 3;
  copy.v[i] = 9;
  vstore4(copy.v, 0, at);
  *(global int4 *)(at + 4) = made(i + 1).v;
  ((global int4 *)(at + 8))->yw = r.v.xz;
  at[12] = made(3).set[0] + 2 * r.set[1] + 4 * copy.set[2];
  at[13] = r.s >> 3;
  at[14] = (uchar)(i - 1) >> (i + 31);
  char c = 100;
  c += 100;
  c <<= 9;
  at[15] = c + (i++ ? i-- : --i);
}

kernel void flows(global int *out) {
  int i = get_global_id(0), n = 0;
  for (int k = 0; k < 5 && !(i == 3 && k == 2); k++) {
    if (k == i)
      continue;
    n += (k > 2 || i > 4) && (k != 1 ? i & 1 : !(i & 2));
  }
  do {
    if (n > 4)
      goto done;
    n += 1 && i;
  } while (0 || (n < i && (n++, true)));
again:
  if (n++ < 7 - i)
    goto again;
done:
  while (true) {
    if (--n < 0)
      break;
    if (false)
      n = 100;
    out[i] += n;
  }
  out[i + 16] = n ? (n > 1, -1) : 2;
}
