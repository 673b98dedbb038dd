kernel void softmax(global const float *in, global float *out, int rows, int width) {
  int row = get_global_id(0);
  if (row >= rows)
    return;
  float most = -INFINITY, sum = 0;
  for (int k = 0; k < width; ++k)
    most = fmax(most, in[row * width + k]);
  for (int k = 0; k < width; ++k)
    sum += exp2(in[row * width + k] - most);
  for (int k = 0; k < width; ++k)
    out[row * width + k] = exp2(in[row * width + k] - most) / sum;
}
