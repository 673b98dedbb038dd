// A transform of 32 points, in private memory by each thread; roots from a table.
// RUN: --grid 1 --block 16 --arg data=f32[1024]{random:61} --arg roots=f32{1,0,0.98078528,-0.19509032,0.92387953,-0.38268343,0.83146961,-0.55557023,0.70710678,-0.70710678,0.55557023,-0.83146961,0.38268343,-0.92387953,0.19509032,-0.98078528,0,-1,-0.19509032,-0.98078528,-0.38268343,-0.92387953,-0.55557023,-0.83146961,-0.70710678,-0.70710678,-0.83146961,-0.55557023,-0.92387953,-0.38268343,-0.98078528,-0.19509032}
kernel void fourier(global float2 *data, constant float2 *roots) {
  float2 points[32];
  global float2 *mine = data + 32 * get_global_id(0);
  for (int k = 0; k < 32; ++k) {
    int to = 0;
    for (int bit = 0; bit < 5; ++bit)
      to |= (k >> bit & 1) << (4 - bit);
    points[to] = mine[k];
  }
  for (int span = 1; span < 32; span *= 2)
    for (int k = 0; k < 16; ++k) {
      int within = k & (span - 1), low = 2 * (k - within) + within;
      float2 w = roots[within * (16 / span)], a = points[low], b = points[low + span];
      float2 turned = (float2)(b.x * w.x - b.y * w.y, b.x * w.y + b.y * w.x);
      points[low] = a + turned;
      points[low + span] = a - turned;
    }
  for (int k = 0; k < 32; ++k)
    mine[k] = points[k];
}
