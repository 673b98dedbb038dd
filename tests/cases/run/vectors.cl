// Integer vectors of each length: operators, swizzles, literals, comparisons.
// RUN: --grid 2 --block 32 --arg in=i32[1024]{random:15} --arg out=i32[1472]
kernel void vectors(global const int *in, global int *out) {
  int i = get_global_id(0);
  uint16 sixteen = (uint16)(7);
  for (int k = 0; k < 16; ++k)
    sixteen += (uint16)(in[16 * i + k]) * (uint16)(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16) << (uint16)(k);
  uint8 half_of_it = sixteen.even ^ sixteen.odd, other = sixteen.lo + sixteen.hi;
  uint4 four = half_of_it.s0246 - other.s7531;
  uint3 three = four.wzy * four.xxx + (uint3)(1, 2, 3);
  uint2 two = three.zx | four.hi;
  four.yw = two;
  int4 less = as_int4(four) < as_int4(other.hi);
  int4 picked = less ? as_int4(four.s3210) : (int4)(-1, two.x, two.y, three.z);
  int8 wide = (int8)(picked, -picked);
  wide.s1 += wide.s6;
  wide.odd = wide.even >> 3;
  global int *to = out + 23 * i;
  to[0] = half_of_it.s0 ^ other.s1 ^ four.x;
  to[1] = three.x;
  to[2] = three.y;
  to[3] = three.z;
  to[4] = two.x;
  to[5] = two.y;
  to[6] = any(less) + 2 * all(less) + less.x + less.w * 8;
  vstore8(wide, 0, to + 7);
  vstore8(as_int8(half_of_it & other | 15), 0, to + 15);
}
