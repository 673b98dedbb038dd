// The same operation in both arms of a divergent branch, and after it.
typedef unsigned uint;
typedef vector<uint, 3> uint3;

int wave_sum(int x) { return __builtin_hlsl_wave_active_sum(x); }

RWBuffer<int> Out : register(u0);
RWBuffer<int> In : register(u1);

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  int x = In[id.x];
  if ((id.x & 1) != 0)
    x += wave_sum(x);
  else
    x -= wave_sum(x + 1);
  Out[id.x] = wave_sum(x);
}
