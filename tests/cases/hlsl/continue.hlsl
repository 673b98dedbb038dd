// Threads that continue meet the others at the next iteration.
typedef unsigned uint;
typedef vector<uint, 3> uint3;

uint wave_count(bool b) { return __builtin_hlsl_wave_active_count_bits(b); }

RWBuffer<int> Out : register(u0);
RWBuffer<int> In : register(u1);

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint seen = 0;
  for (uint i = 0; i < 16; ++i) {
    if (((id.x >> (i & 3)) & 1) != 0)
      continue;
    seen += wave_count(true);
  }
  Out[id.x] = seen;
}
