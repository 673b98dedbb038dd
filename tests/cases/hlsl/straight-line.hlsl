// A wave operation that every thread reaches.
typedef unsigned uint;
typedef vector<uint, 3> uint3;

int wave_max(int x) { return __builtin_hlsl_wave_active_max(x); }

RWBuffer<int> Out : register(u0);
RWBuffer<int> In : register(u1);

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  Out[id.x] = wave_max(In[id.x]);
}
