// Matrix products in integers and floats, one element a thread, with sides that are no multiple of the group.
// RUN: --grid 3,2 --block 8,8 --arg a=i32[200]{random:52} --arg b=i32[200]{random:53} --arg fa=f32[200]{random:54} --arg fb=f32[200]{random:55} --arg c=i32[400] --arg fc=f32[400] --arg n=20 --arg inner=10
kernel void product(global const int *a, global const int *b, global const float *fa, global const float *fb,
                    global int *c, global float *fc, int n, int inner) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= n || y >= n)
    return;
  uint sum = 0;
  float float_sum = 0.0f;
  for (int k = 0; k < inner; ++k) {
    sum += (uint)a[y * inner + k] * (uint)b[k * n + x];
    float_sum += fa[y * inner + k] * fb[k * n + x];
  }
  c[y * n + x] = sum;
  fc[y * n + x] = float_sum;
}
