kernel void softmax(global const float *in, global float *out, int width) {
  if (get_local_id(0) != 0)
    return;
  global const float *row = in + get_group_id(0) * width;
  float most = row[0], sum = 0.0f;
  for (int k = 1; k < width; ++k)
    most = fmax(most, row[k]);
  for (int k = 0; k < width; ++k)
    sum += exp(row[k] - most);
  for (int k = 0; k < width; ++k)
    out[get_group_id(0) * width + k] = exp(row[k] - most) / sum;
}
