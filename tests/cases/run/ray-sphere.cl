// Rays against some spheres: quadratic equations, branches on their discriminants.
// RUN: --grid 2,2 --block 8,8 --arg spheres=f32[32]{random:62} --arg out=f32[256] --arg hits=i32[256]
typedef struct {
  float x, y, z, radius;
} sphere;

kernel void trace(constant sphere *spheres, global float *out, global int *hits) {
  int i = get_global_id(1) * get_global_size(0) + get_global_id(0);
  float dx = get_global_id(0) / 8.0f - 1.0f, dy = get_global_id(1) / 8.0f - 1.0f, dz = 2.0f;
  float length = sqrt(dx * dx + dy * dy + dz * dz);
  dx /= length;
  dy /= length;
  dz /= length;
  float nearest = INFINITY;
  int hit = -1;
  for (int k = 0; k < 8; ++k) {
    sphere s = spheres[k];
    s.x = s.x * 2.0f - 1.0f;
    s.y = s.y * 2.0f - 1.0f;
    s.z += 1.5f;
    float middle = dx * s.x + dy * s.y + dz * s.z;
    float rest = middle * middle - (s.x * s.x + s.y * s.y + s.z * s.z) + s.radius * s.radius * 0.2f;
    if (rest < 0.0f)
      continue;
    float at = middle - sqrt(rest);
    if (at > 0.0f && at < nearest) {
      nearest = at;
      hit = k;
    }
  }
  out[i] = nearest;
  hits[i] = hit;
}
