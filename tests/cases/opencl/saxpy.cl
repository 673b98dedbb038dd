// y = a * x + y, one element per work-item.
// RUN: --grid 4 --block 64 --arg n=250 --arg a=2.5 --arg x=f32[250]{random:113} --arg y=f32[250]{random:114}
kernel void saxpy(int n, float a, global const float *x, global float *y) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = fma(a, x[i], y[i]);
}
