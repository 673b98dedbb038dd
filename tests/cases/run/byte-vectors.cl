// Vectors of sixteen bytes: a cipher-like mixing of rows and columns.
// RUN: --grid 2 --block 64 --arg in=u8[2048]{random:16} --arg out=u8[2048]
kernel void mixing(global const uchar16 *in, global uchar16 *out) {
  int i = get_global_id(0);
  uchar16 state = in[i];
  for (int round = 0; round < 9; ++round) {
    state = state.s05af49e38d27c16b;
    uchar16 doubled = (state << (uchar)1) ^ ((state >> (uchar)7) * (uchar)0x1b);
    state = doubled ^ state.s123056749ab8defc ^ (uchar16)(round, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0);
    state.s3 += state.sf;
    state = rotate(state, (uchar16)(3));
  }
  out[i] = state;
}
