// A wave operation in each iteration; the number of iterations differs between threads.
typedef unsigned uint;
typedef vector<uint, 3> uint3;

int wave_sum(int x) { return __builtin_hlsl_wave_active_sum(x); }

RWBuffer<int> Out : register(u0);
RWBuffer<int> In : register(u1);

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  int total = 0;
  for (uint i = 0; i < id.x % 7; ++i)
    total += wave_sum(In[i]);
  Out[id.x] = total;
}
