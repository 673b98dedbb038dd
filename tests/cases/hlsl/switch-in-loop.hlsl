// A break that leaves the switch, a continue that leaves the iteration.
typedef unsigned uint;
typedef vector<uint, 3> uint3;

int wave_sum(int x) { return __builtin_hlsl_wave_active_sum(x); }

RWBuffer<int> Out : register(u0);
RWBuffer<int> In : register(u1);

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  int x = 0;
  for (uint i = 0; i < 12; ++i) {
    switch (In[id.x + i] % 4) {
    case 0:
      x += wave_sum(x);
      break;
    case 1:
      continue;
    case 2:
      x ^= 5;
    }
    x += wave_sum((int)i);
  }
  Out[id.x] = x;
}
