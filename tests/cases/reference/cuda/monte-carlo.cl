static float uniform_number(uint *state) {
  *state ^= *state << 13;
  *state ^= *state >> 17;
  *state ^= *state << 5;
  return (*state >> 8) * (1.0f / 16777216);
}

kernel void walk(uint seed, int steps, float radius, global float *out) {
  if (get_local_id(0) != 0)
    return;
  int total = 0;
  for (uint t = 0; t < 256; ++t) {
    uint state = seed ^ (uint)((get_global_id(0) + t) * 2654435761u + 1);
    float x = 0, y = 0;
    int taken = 0;
    do {
      float dx, dy, square;
      do {
        dx = 2 * uniform_number(&state) - 1;
        dy = 2 * uniform_number(&state) - 1;
        square = dx * dx + dy * dy;
      } while (square > 1 || square < 1e-4f);
      x += dx;
      y += dy;
      ++taken;
    } while (taken < steps && !(x * x + y * y > radius * radius));
    total += taken;
  }
  out[get_group_id(0)] = total / 256.0f;
}
