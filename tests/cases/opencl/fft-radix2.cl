// Radix-2 Stockham transform between two halves of local memory.
// RUN: --grid 2 --block 32 --arg data=f32[256]{random:102} --arg points=f32[256] --arg size=64 --arg inverse=0
// RUN: --grid 2 --block 32 --arg data=f32[256]{random:103} --arg points=f32[256] --arg size=64 --arg inverse=1
// TOLERANCE: data=1e-4
static float2 times(float2 a, float2 b) { return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

kernel void fft(global float2 *data, local float2 *points, uint size, int inverse) {
  uint self = get_local_id(0), half_size = size / 2, first = get_group_id(0) * size;
  local float2 *from = points, *to = points + size;
  from[self] = data[first + self];
  from[self + half_size] = data[first + self + half_size];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint span = 1; span < size; span <<= 1) {
    uint within = self & (span - 1);
    float angle = (inverse ? M_PI_F : -M_PI_F) * within / span;
    float2 a = from[self], b = times(from[self + half_size], (float2)(cos(angle), sin(angle)));
    uint at = 2 * (self - within) + within;
    to[at] = a + b;
    to[at + span] = a - b;
    barrier(CLK_LOCAL_MEM_FENCE);
    local float2 *swap = from;
    from = to;
    to = swap;
  }
  float factor = 1.0f;
  if (inverse)
    factor /= size;
  data[first + self] = from[self] * factor;
  data[first + self + half_size] = from[self + half_size] * factor;
}
