// Products of more than 64 bits: by mul_hi, and piece by piece.
// RUN: --grid 2 --block 64 --arg a=u64[128]{random:9} --arg b=u64[128]{random:10} --arg out=u64[512]
static ulong2 product(ulong a, ulong b) {
  ulong al = (uint)a, ah = a >> 32, bl = (uint)b, bh = b >> 32;
  ulong low = al * bl, middle = ah * bl + (low >> 32), other = al * bh + (uint)middle;
  return (ulong2)(other << 32 | (uint)low, ah * bh + (middle >> 32) + (other >> 32));
}

kernel void products(global const ulong *a, global const ulong *b, global ulong *out) {
  int i = get_global_id(0);
  ulong2 whole = product(a[i], b[i]);
  out[4 * i] = whole.y;
  out[4 * i + 1] = mul_hi(a[i], b[i]) - whole.y;
  out[4 * i + 2] = mul_hi((long)a[i], (long)b[i]);
  out[4 * i + 3] = whole.x ^ a[i] * b[i];
}
