// Image reads with a sampler; no communication.
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

kernel void threshold(read_only image2d_t in, write_only image2d_t out, float cut) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  float4 color = read_imagef(in, nearest, at);
  float grey = dot(color.xyz, (float3)(0.3f, 0.59f, 0.11f));
  write_imagef(out, at, grey > cut ? (float4)(1.0f) : (float4)(0.0f, 0.0f, 0.0f, 1.0f));
}
