// Every case has an operation of its own.
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
  switch (id.x & 3) {
  case 0:
    x = wave_sum(x);
    break;
  case 1:
    x = wave_max(x);
    break;
  case 2:
    x = wave_count(x > 0);
    break;
  default:
    x = 0;
  }
  Out[id.x] = x;
}
