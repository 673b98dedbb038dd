// What has to be so for threads to diverge, where several things may make them.

// Either of two conditions.
__global__ void either(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] > 0) {
        __syncthreads();
        out[i] = 1;
    }
    out[i] += 7;
    __syncthreads();
}

// A loop, or a branch in it.
__global__ void strided(const int *in, int *out, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        if (in[i]) out[i] = __shfl_down_sync(0xffffffff, i, 1);
}

// The argument differs; whether the barrier depends on it, memory decides.
__device__ int leaf(int c) {
    if (c) __syncthreads();
    return 1;
}
__device__ int middle(const int *p, int i) { return leaf(p[i]); }
__global__ void deep(const int *p, int *out) { out[threadIdx.x] = middle(p, threadIdx.x); }

// The argument is what memory holds.
__global__ void loaded(const int *p, int *out) { out[threadIdx.x] = leaf(p[threadIdx.x]); }
