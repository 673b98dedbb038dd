// The classical question: does the operation before the break see the threads that have left?
typedef unsigned uint;
typedef vector<uint, 3> uint3;

uint wave_count(bool b) { return __builtin_hlsl_wave_active_count_bits(b); }

RWBuffer<int> Out : register(u0);
RWBuffer<int> In : register(u1);

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint turns = 0;
  while (true) {
    uint together = wave_count(true);
    if (In[id.x + turns] > 3) {
      Out[id.x] = together;
      break;
    }
    ++turns;
  }
}
