// SHA-256 of one block of 55 bytes at most: constants in constant memory, the schedule in private memory.
// RUN: --grid 2 --block 32 --arg text=u8[2048]{random:37} --arg lengths=u32[64]{iota} --arg out=u32[512]
// RUN: --grid 1 --block 1 --arg text=u8[32]{97,98,99,29*0} --arg lengths=u32{3} --arg out=u32[8]
// EXPECT: out=u32{0xba7816bf,0x8f01cfea,0x414140de,0x5dae2223,0xb00361a3,0x96177a9c,0xb410ff61,0xf20015ad}
constant uint k256[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
    0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
    0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
    0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

#define right(x, n) rotate(x, (uint)(32 - (n)))

kernel void sha256(global const uchar *text, global const uint *lengths, global uint *out) {
  uint i = get_global_id(0), length = lengths[i] % 33;
  uint w[64], h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  for (uint k = 0; k < 16; ++k) {
    w[k] = 0;
    for (uint b = 0; b < 4; ++b) {
      uint at = 4 * k + b;
      uint byte = at < length ? text[32 * i + at] : at == length ? 0x80 : 0;
      w[k] = w[k] << 8 | byte;
    }
  }
  w[15] = length * 8;
  for (uint k = 16; k < 64; ++k) {
    uint low = right(w[k - 15], 7) ^ right(w[k - 15], 18) ^ w[k - 15] >> 3;
    uint high = right(w[k - 2], 17) ^ right(w[k - 2], 19) ^ w[k - 2] >> 10;
    w[k] = w[k - 16] + low + w[k - 7] + high;
  }
  uint s[8];
  for (int k = 0; k < 8; ++k)
    s[k] = h[k];
  for (int k = 0; k < 64; ++k) {
    uint one = right(s[4], 6) ^ right(s[4], 11) ^ right(s[4], 25);
    uint first = s[7] + one + bitselect(s[6], s[5], s[4]) + k256[k] + w[k];
    uint zero = right(s[0], 2) ^ right(s[0], 13) ^ right(s[0], 22);
    uint second = zero + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
    for (int r = 7; r > 0; --r)
      s[r] = s[r - 1];
    s[4] += first;
    s[0] = first + second;
  }
  for (int k = 0; k < 8; ++k)
    out[8 * i + k] = h[k] + s[k];
}
