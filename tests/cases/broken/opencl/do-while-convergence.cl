// Broken twin of do-while-convergence: each work-item goes on until its own value has settled.
kernel void relax(global float *values, int n, float epsilon) {
  int self = get_local_id(0);
  float now = values[self]; // CAUSE
  while (now > epsilon) {
    now = 0.5f * now - 1.0f;
    barrier(CLK_GLOBAL_MEM_FENCE); // EXPECT: RC0202 warning
  }
  values[self] = now;
}
