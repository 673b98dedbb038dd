static void product(global const float *a, global const float *b, global float *c, int n) {
  for (int i = get_global_id(0); i < n * n; i += get_global_size(0)) {
    float sum = 0;
    for (int k = 0; k < n; ++k)
      sum += a[i / n * n + k] * b[k * n + i % n];
    c[i] = sum;
  }
}

kernel void matmul8(global const float *a, global const float *b, global float *c, int n) { product(a, b, c, n); }
kernel void matmul16(global const float *a, global const float *b, global float *c, int n) { product(a, b, c, n); }
