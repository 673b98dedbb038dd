// Sphere tracing of a signed distance field: rays end by hit, by miss, or by patience.
static float scene(float3 p) {
  float sphere = length(p) - 1.0f;
  float box = max(max(fabs(p.x), fabs(p.y)), fabs(p.z)) - 0.8f;
  return max(-box, sphere);
}

kernel void march(write_only image2d_t image, float3 eye, float far, int patience) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  int2 size = get_image_dim(image);
  if (at.x >= size.x || at.y >= size.y)
    return;
  float3 ray = normalize((float3)(convert_float2(at) / convert_float2(size) - 0.5f, 1.0f));
  float4 color = 0.0f;
  float travelled = 0.0f;
  for (int step = 0; step < patience; ++step) {
    float3 p = eye + ray * travelled;
    float distance = scene(p);
    if (distance < 0.001f) {
      float3 e = (float3)(0.001f, 0.0f, 0.0f);
      float3 normal = normalize((float3)(scene(p + e.xyy), scene(p + e.yxy), scene(p + e.yyx)) - distance);
      color = (float4)(normal * 0.5f + 0.5f, 1.0f);
      break;
    }
    if (travelled > far)
      break;
    travelled += distance;
  }
  write_imagef(image, at, color);
}
