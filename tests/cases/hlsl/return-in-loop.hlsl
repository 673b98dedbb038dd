// A return out of two loops.
typedef unsigned uint;
typedef vector<uint, 3> uint3;

bool wave_any(bool b) { return __builtin_hlsl_wave_active_any_true(b); }
int wave_max(int x) { return __builtin_hlsl_wave_active_max(x); }

RWBuffer<int> Out : register(u0);
RWBuffer<int> In : register(u1);

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  for (uint i = 0; i < 10; ++i) {
    for (uint j = i; j < 10; ++j) {
      if (wave_any(In[i * j] == (int)id.x)) {
        Out[id.x] = wave_max((int)j);
        return;
      }
    }
  }
  Out[id.x] = -1;
}
