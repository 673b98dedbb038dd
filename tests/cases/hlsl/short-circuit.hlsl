// Operations behind && and ||, and in a conditional expression.
typedef unsigned uint;
typedef vector<uint, 3> uint3;

bool wave_any(bool b) { return __builtin_hlsl_wave_active_any_true(b); }
bool wave_all(bool b) { return __builtin_hlsl_wave_active_all_true(b); }
uint wave_count(bool b) { return __builtin_hlsl_wave_active_count_bits(b); }

RWBuffer<int> Out : register(u0);
RWBuffer<int> In : register(u1);

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  bool a = In[id.x] > 2;
  bool b = a && wave_any(In[id.x] > 7);
  bool c = b || wave_all(id.x < 40);
  int x = c ? wave_count(b) : In[0];
  while (x > 0 && wave_any(x > 3))
    x -= wave_all(x > 1) ? 2 : 1;
  Out[id.x] = x;
}
