// Softmax of a row by a group: three passes over it, the functions of the group between them.
// RUN: --grid 3 --block 32 --arg in=f32[150]{random:125} --arg out=f32[150] --arg width=50
// TOLERANCE: out=1e-6
kernel void softmax(global const float *in, global float *out, int width) {
  global const float *row = in + get_group_id(0) * width;
  global float *result = out + get_group_id(0) * width;
  float most = -INFINITY;
  for (int i = get_local_id(0); i < width; i += get_local_size(0))
    most = fmax(most, row[i]);
  most = work_group_reduce_max(most);
  float sum = 0.0f;
  for (int i = get_local_id(0); i < width; i += get_local_size(0)) {
    float e = exp(row[i] - most);
    result[i] = e;
    sum += e;
  }
  float factor = 1.0f / work_group_reduce_add(sum);
  for (int i = get_local_id(0); i < width; i += get_local_size(0))
    result[i] *= factor;
}
