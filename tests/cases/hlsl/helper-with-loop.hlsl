// A helper with a loop, called in a loop.
typedef unsigned uint;
typedef vector<uint, 3> uint3;

int wave_max(int x) { return __builtin_hlsl_wave_active_max(x); }

RWBuffer<int> Out : register(u0);
RWBuffer<int> In : register(u1);

int largest(uint from, uint count) {
  int best = -1;
  for (uint i = 0; i < count; ++i) {
    int here = wave_max(In[from + i]);
    if (here > best)
      best = here;
  }
  return best;
}

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  int result = 0;
  for (uint i = 0; i < 4; ++i)
    result += largest(i * 16, id.x % 16);
  Out[id.x] = result;
}
