// Jacobi iterations until the whole group agrees.
// RUN: --grid 1 --block 32 --arg values=f32[32]{random:121} --arg n=32 --arg old=f32[32] --arg epsilon=0.01
kernel void relax(global float *values, int n, local float *old, float epsilon) {
  int self = get_local_id(0);
  int left = max(self - 1, 0), right = min(self + 1, n - 1);
  float now = values[self];
  int more;
  do {
    old[self] = now;
    barrier(CLK_LOCAL_MEM_FENCE);
    now = 0.5f * (old[left] + old[right]);
    more = fabs(now - old[self]) > epsilon;
    barrier(CLK_LOCAL_MEM_FENCE);
  } while (work_group_any(more));
  values[self] = now;
}
