// Wavefronts execute in lock-step: only what threads of several exchange is reported.

__global__ void r0(int *a) { __shared__ int s[1024]; int t = threadIdx.x; s[t] = a[t]; a[t] = s[t ^ 1]; }
__global__ void r1(int *a) { __shared__ int s[1024]; int t = threadIdx.x; s[t] = a[t]; a[t] = s[t ^ 128]; } // warning RC0212
__global__ void r2(int *a) { __shared__ int s[1024]; int t = threadIdx.x; s[t] = a[t]; __syncthreads(); a[t] = s[t ^ 128]; }
