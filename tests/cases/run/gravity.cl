// All pairs of bodies, with square roots and divisions, which are exact.
// RUN: --grid 2 --block 32 --arg bodies=f32[256]{random:60} --arg out=f32[256] --arg dt=0.01
kernel void gravity(global const float4 *bodies, global float4 *out, float dt) {
  local float4 block[32];
  int self = get_local_id(0), size = get_local_size(0), count = get_global_size(0);
  float4 mine = bodies[get_global_id(0)], force = (float4)(0.0f);
  for (int first = 0; first < count; first += size) {
    block[self] = bodies[first + self];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < size; ++k) {
      float4 d = block[k] - mine;
      float square = d.x * d.x + d.y * d.y + d.z * d.z + 0.01f;
      float distance = sqrt(square);
      force += d * (block[k].w / (square * distance));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  force.w = 0.0f;
  out[get_global_id(0)] = mine + force * dt;
}
// TOLERANCE: out=2ulp
