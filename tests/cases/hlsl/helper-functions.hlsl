// Calls of convergent functions, which hand their token on.
typedef unsigned uint;
typedef vector<uint, 3> uint3;

int wave_sum(int x) { return __builtin_hlsl_wave_active_sum(x); }
int wave_max(int x) { return __builtin_hlsl_wave_active_max(x); }

RWBuffer<int> Out : register(u0);
RWBuffer<int> In : register(u1);

int clamp_to_wave(int x) {
  int top = wave_max(x);
  return x > top / 2 ? top / 2 : x;
}

int smooth(int x, int y) {
  if (x < y)
    return wave_sum(x) + clamp_to_wave(y);
  return clamp_to_wave(x - y);
}

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  int x = clamp_to_wave(In[id.x]);
  for (uint i = 0; i < id.x % 4; ++i)
    x = smooth(x, In[i]);
  Out[id.x] = x;
}
