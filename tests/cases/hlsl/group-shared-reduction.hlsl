// A tree reduction in group-shared memory with a barrier in every step.
typedef unsigned uint;
typedef vector<uint, 3> uint3;

void barrier() { __builtin_hlsl_group_memory_barrier_with_group_sync(); }

RWBuffer<int> Out : register(u0);
RWBuffer<int> In : register(u1);

groupshared int Scratch[64];

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint self = id.x % 64;
  Scratch[self] = In[id.x];
  barrier();
  for (uint reach = 32; reach > 0; reach /= 2) {
    if (self < reach)
      Scratch[self] += Scratch[self + reach];
    barrier();
  }
  if (self == 0)
    Out[id.x / 64] = Scratch[0];
}
