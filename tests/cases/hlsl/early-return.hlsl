// Threads leave before the operation of the others.
typedef unsigned uint;
typedef vector<uint, 3> uint3;

uint wave_count(bool b) { return __builtin_hlsl_wave_active_count_bits(b); }
uint lane_index() { return __builtin_hlsl_wave_get_lane_index(); }

RWBuffer<int> Out : register(u0);
RWBuffer<int> In : register(u1);

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (lane_index() > 20)
    return;
  if (In[id.x] == 0) {
    Out[id.x] = -1;
    return;
  }
  Out[id.x] = wave_count(true);
}
