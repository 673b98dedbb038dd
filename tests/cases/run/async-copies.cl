// Copies by the whole group to local memory and back, dense and strided, with events.
// RUN: --grid 4 --block 32 --arg in=u32[512]{random:85} --arg out=u32[512]
kernel void copies(global const uint *in, global uint *out) {
  local uint dense[128], strided[32];
  size_t first = get_group_id(0) * 128;
  event_t events[2];
  events[0] = async_work_group_copy(dense, in + first, 128, 0);
  events[1] = async_work_group_strided_copy(strided, in + first + 1, 32, 4, 0);
  wait_group_events(2, events);
  uint self = get_local_id(0);
  uint mine = strided[31 - self];
  for (uint k = self; k < 128; k += 32)
    dense[k] = dense[k] * 3 + 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  dense[4 * self] ^= mine;
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t back = async_work_group_copy(out + first, dense, 128, 0);
  wait_group_events(1, &back);
}
