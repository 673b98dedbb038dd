#R"x(a directive
of two lines)x"
__global__ void k(int *p) { p[threadIdx.x] = 1; }
