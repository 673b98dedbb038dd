// An operation on the way out of a loop belongs to the iteration that it leaves.
typedef unsigned uint;
typedef vector<uint, 3> uint3;

int wave_max(int x) { return __builtin_hlsl_wave_active_max(x); }
uint wave_count(bool b) { return __builtin_hlsl_wave_active_count_bits(b); }

RWBuffer<int> Out : register(u0);
RWBuffer<int> In : register(u1);

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  for (uint i = 0;; ++i) {
    if (In[i] == (int)id.x) {
      Out[id.x] = wave_count(true);
      break;
    }
    Out[i] = wave_max((int)i);
  }
}
