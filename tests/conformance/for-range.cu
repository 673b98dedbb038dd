// The same work as a for, as a range-for and as a while.
__device__ void with_for(int);
__device__ void with_range(int);
__device__ void with_while(int);

__global__ void loops(int *limit) {
  int values[3] = {1, 2, 3};
  for (int i = 0; i < 3; i++) {
    if (values[i] == limit[threadIdx.x])
      continue;
    with_for(i);
  }
  for (int value : values) {
    if (value == limit[threadIdx.x])
      continue;
    with_range(value);
  }
  int i = 0;
  while (i < 3) {
    int value = values[i++];
    if (value == limit[threadIdx.x])
      continue;
    with_while(value);
  }
}
