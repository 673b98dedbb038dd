// Serialise over distinct values: each turn serves the threads that hold the first thread's value.
typedef unsigned uint;
typedef vector<uint, 3> uint3;

int read_lane(int x, uint lane) { return __builtin_hlsl_wave_read_lane_at(x, lane); }
bool first_lane() { return __builtin_hlsl_wave_is_first_lane(); }
uint lane_index() { return __builtin_hlsl_wave_get_lane_index(); }
uint wave_count(bool b) { return __builtin_hlsl_wave_active_count_bits(b); }

RWBuffer<int> Out : register(u0);
RWBuffer<int> In : register(u1);

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  int mine = In[id.x];
  uint lane = 0;
  for (;;) {
    int turn = read_lane(mine, lane);
    if (turn == mine) {
      if (first_lane())
        Out[turn] = wave_count(true);
      break;
    }
    lane = (lane + 1) % 64;
  }
}
