// All pairs, by blocks of bodies in local memory.
// FLAGS: -g
// RUN: --grid 2 --block 32 --arg in=f32[256]{random:109} --arg out=f32[256] --arg velocity=f32[256]{random:110} --arg bodies=64 --arg dt=0.01 --arg block=f32[128]
// TOLERANCE: out=1e-4 velocity=1e-2
kernel void nbody(global const float4 *in, global float4 *out, global float4 *velocity, int bodies, float dt,
                  local float4 *block) {
  int self = get_global_id(0), lane = get_local_id(0), size = get_local_size(0);
  float4 here = in[self];
  float3 force = 0.0f;
  for (int first = 0; first < bodies; first += size) {
    block[lane] = in[first + lane];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int other = 0; other < size; ++other) {
      float3 d = block[other].xyz - here.xyz;
      float inverse = rsqrt(dot(d, d) + 0.001f);
      force += d * (block[other].w * inverse * inverse * inverse);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  velocity[self].xyz += force * dt;
  out[self].xyz = here.xyz + velocity[self].xyz * dt;
  out[self].w = here.w;
}
