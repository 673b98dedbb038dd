// A checksum bit by bit, by a table in constant memory, and by one that the group computes in local memory.
// RUN: --grid 2 --block 64 --arg text=u8[4096]{random:35} --arg out=u32[384] --arg length=32
// RUN: --grid 1 --block 16 --arg text=u8[160]{random:36} --arg out=u32[48] --arg length=10
constant uint nibbles[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                             0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                             0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};

static uint step(uint crc) {
  for (int bit = 0; bit < 8; ++bit)
    crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
  return crc;
}

kernel void crc(global const uchar *text, global uint *out, uint length) {
  local uint table[256];
  for (uint k = get_local_id(0); k < 256; k += get_local_size(0))
    table[k] = step(k);
  barrier(CLK_LOCAL_MEM_FENCE);
  uint i = get_global_id(0), a = ~0u, b = ~0u, c = ~0u;
  global const uchar *mine = text + i * length;
  for (uint k = 0; k < length; ++k) {
    a = step(a ^ mine[k]);
    b ^= mine[k];
    b = b >> 4 ^ nibbles[b & 15];
    b = b >> 4 ^ nibbles[b & 15];
    c = c >> 8 ^ table[(c ^ mine[k]) & 255];
  }
  out[3 * i] = ~a;
  out[3 * i + 1] = ~b;
  out[3 * i + 2] = ~c;
}
