// Transposes through local memory, of bytes, words and pairs, on groups that are not square.
// RUN: --grid 2,4 --block 16,4 --arg bytes=u8[512]{random:70} --arg words=u32[512]{random:71} --arg pairs=u64[512]{random:72} --arg out_bytes=u8[512] --arg out_words=u32[512] --arg out_pairs=u64[512]
kernel void transpose(global const uchar *bytes, global const uint *words, global const uint2 *pairs,
                      global uchar *out_bytes, global uint *out_words, global uint2 *out_pairs) {
  local uchar byte_tile[4][17];
  local uint word_tile[4][17];
  local uint2 pair_tile[4][17];
  int x = get_local_id(0), y = get_local_id(1), width = get_global_size(0), height = get_global_size(1);
  int at = get_global_id(1) * width + get_global_id(0);
  byte_tile[y][x] = bytes[at];
  word_tile[y][x] = words[at];
  pair_tile[y][x] = pairs[at];
  barrier(CLK_LOCAL_MEM_FENCE);
  int linear = y * 16 + x, row = linear / 4, column = linear % 4;
  int to = (get_group_id(0) * 16 + row) * height + get_group_id(1) * 4 + column;
  out_bytes[to] = byte_tile[column][row];
  out_words[to] = word_tile[column][row];
  out_pairs[to] = pair_tile[column][row].yx;
}
