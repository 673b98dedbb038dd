// Cases that fall into each other.
typedef unsigned uint;
typedef vector<uint, 3> uint3;

int wave_sum(int x) { return __builtin_hlsl_wave_active_sum(x); }
uint wave_count(bool b) { return __builtin_hlsl_wave_active_count_bits(b); }

RWBuffer<int> Out : register(u0);
RWBuffer<int> In : register(u1);

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  int x = 0;
  switch (In[id.x]) {
  case 0:
    x += wave_sum(1);
  case 1:
    x += wave_sum(2);
  case 2:
  case 3:
    x += wave_count(true);
    break;
  case 9:
    return;
  }
  Out[id.x] = x;
}
