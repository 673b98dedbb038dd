// Three loops with a break at every level.
typedef unsigned uint;
typedef vector<uint, 3> uint3;

int wave_max(int x) { return __builtin_hlsl_wave_active_max(x); }
bool wave_any(bool b) { return __builtin_hlsl_wave_active_any_true(b); }

RWBuffer<int> Out : register(u0);
RWBuffer<int> In : register(u1);

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  int best = 0;
  for (uint i = 0; i < 8; ++i) {
    if (In[i] < 0)
      break;
    for (uint j = 0; j < 8; ++j) {
      if (In[i + j] == (int)id.x)
        break;
      for (uint k = 0; k < 8; ++k) {
        best = wave_max(best + In[i + j + k]);
        if (wave_any(best > 100))
          break;
      }
    }
  }
  Out[id.x] = best;
}
