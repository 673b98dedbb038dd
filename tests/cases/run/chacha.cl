// The ChaCha stream cipher: vectors of four, rotations of their elements, twenty rounds.
// RUN: --grid 2 --block 32 --arg key=u32[8]{random:40} --arg out=u32[1024] --arg nonce=7
static void rounds(uint4 *a, uint4 *b, uint4 *c, uint4 *d) {
  *a += *b;
  *d = rotate(*d ^ *a, (uint4)(16));
  *c += *d;
  *b = rotate(*b ^ *c, (uint4)(12));
  *a += *b;
  *d = rotate(*d ^ *a, (uint4)(8));
  *c += *d;
  *b = rotate(*b ^ *c, (uint4)(7));
}

kernel void chacha(global const uint4 *key, global uint4 *out, ulong nonce) {
  uint i = get_global_id(0);
  uint4 start[4] = {(uint4)(0x61707865, 0x3320646e, 0x79622d32, 0x6b206574), key[0], key[1],
                    (uint4)(i, 0, (uint)nonce, (uint)(nonce >> 32))};
  uint4 a = start[0], b = start[1], c = start[2], d = start[3];
  for (int round = 0; round < 20; round += 2) {
    rounds(&a, &b, &c, &d);
    b = b.yzwx;
    c = c.zwxy;
    d = d.wxyz;
    rounds(&a, &b, &c, &d);
    b = b.wxyz;
    c = c.zwxy;
    d = d.yzwx;
  }
  out[4 * i] = a + start[0];
  out[4 * i + 1] = b + start[1];
  out[4 * i + 2] = c + start[2];
  out[4 * i + 3] = d + start[3];
}
