// A sparse matrix times a vector, a row a thread; rows are of different lengths, one is empty.
// RUN: --grid 1 --block 8 --arg rows=i32{0,3,3,5,9,10,12,15,16} --arg columns=i32{0,2,5,1,7,0,1,2,3,4,6,7,3,4,5,0} --arg values=f32[16]{random:68} --arg x=f32[8]{random:69} --arg y=f32[8] --arg z=f64[8]
kernel void product(global const int *rows, global const int *columns, global const float *values,
                    global const float *x, global float *y, global double *z) {
  int row = get_global_id(0);
  float sum = 0.0f;
  double wide = -0.0;
  for (int at = rows[row]; at < rows[row + 1]; ++at) {
    sum += values[at] * x[columns[at]];
    wide += (double)values[at] * x[columns[at]];
  }
  y[row] = sum;
  z[row] = wide;
}
