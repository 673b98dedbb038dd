// A heart in each of two loops.
typedef unsigned uint;
typedef vector<uint, 3> uint3;

int wave_sum(int x) { return __builtin_hlsl_wave_active_sum(x); }
int wave_max(int x) { return __builtin_hlsl_wave_active_max(x); }

RWBuffer<int> Out : register(u0);
RWBuffer<int> In : register(u1);

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  int total = 0;
  for (uint i = 0; i < id.x % 5; ++i) {
    for (uint j = 0; j < i + id.x % 3; ++j)
      total += wave_sum(In[i * 8 + j]);
    total = wave_max(total);
  }
  Out[id.x] = total;
}
