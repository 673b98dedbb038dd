// A loop whose body runs before its condition.
typedef unsigned uint;
typedef vector<uint, 3> uint3;

int wave_sum(int x) { return __builtin_hlsl_wave_active_sum(x); }

RWBuffer<int> Out : register(u0);
RWBuffer<int> In : register(u1);

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  int x = In[id.x];
  int steps = 0;
  do {
    steps += wave_sum(1);
    x = (x & 1) != 0 ? 3 * x + 1 : x / 2;
  } while (x > 1);
  Out[id.x] = steps;
}
