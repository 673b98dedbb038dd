// Built-ins of geometry on vectors of floats: products, lengths, mixing, reflections.
// RUN: --grid 2 --block 32 --arg in=f32[256]{random:83} --arg out=f32[640]
// TOLERANCE: out=8ulp
kernel void geometry(global const float4 *in, global float *out) {
  int i = get_global_id(0), other = (i + 1) % get_global_size(0);
  float3 a = in[i].xyz + 0.125f, b = in[other].zyx + 0.25f;
  float2 c = (float2)(in[i].w, 1.0f);
  float3 up = (float3)(0.0f, 1.0f, 0.0f), crossed = cross(a, up);
  global float *to = out + 10 * i;
  to[0] = dot(a, b);
  to[1] = length(a);
  to[2] = distance(a, -b);
  to[3] = normalize(b).y;
  to[4] = crossed.x + 2.0f;
  to[5] = crossed.z + 2.0f;
  to[6] = mix(a.x, b.x, 0.25f);
  to[7] = smoothstep(0.0f, 2.0f, a.y);
  to[8] = fast_length(c);
  to[9] = length(in[i]) + dot(c, c);
}
