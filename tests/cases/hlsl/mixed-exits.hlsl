// A loop with a break, a continue and a return, and operations on each way out.
typedef unsigned uint;
typedef vector<uint, 3> uint3;

int wave_sum(int x) { return __builtin_hlsl_wave_active_sum(x); }
int wave_max(int x) { return __builtin_hlsl_wave_active_max(x); }
uint wave_count(bool b) { return __builtin_hlsl_wave_active_count_bits(b); }

RWBuffer<int> Out : register(u0);
RWBuffer<int> In : register(u1);

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  int x = In[id.x];
  for (uint i = 0; i < 32; ++i) {
    x += wave_sum(In[i]);
    if (x < 0) {
      Out[id.x] = wave_max(x);
      return;
    }
    if ((x & 3) == 1)
      continue;
    if ((x & 7) == 6) {
      x = wave_count(true);
      break;
    }
    x -= (int)i;
  }
  Out[id.x] = wave_sum(x);
}
