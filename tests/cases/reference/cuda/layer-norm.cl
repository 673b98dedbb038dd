kernel void layer_norm(global const float *in, global float *out, global const float *scale, global const float *shift,
                       int width, float epsilon) {
  if (get_local_id(0) != 0)
    return;
  global const float *row = in + get_group_id(0) * width;
  double mean = 0, variance = 0;
  for (int k = 0; k < width; ++k)
    mean += row[k] / (double)width;
  for (int k = 0; k < width; ++k)
    variance += (row[k] - mean) * (row[k] - mean) / width;
  for (int k = 0; k < width; ++k)
    out[get_group_id(0) * width + k] = (row[k] - mean) / sqrt(variance + epsilon) * scale[k] + shift[k];
}
