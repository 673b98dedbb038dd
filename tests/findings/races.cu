// Exchanges in shared memory: which barrier is missing, and where it can stand.
__device__ void wait() { __syncthreads(); }

// In a warp only.
__global__ void neighbours(const int *in, int *out) {
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = in[t];
    out[t] = s[t ^ 1];
}

// In a warp, and across warps: at the same read, and at another one.
__global__ void shifted(const int *in, int *out) {
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = in[t];
    out[t] = s[(t + 1) % 256];
}
__global__ void reversed(const int *in, int *out) {
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = in[t];
    int next = s[t ^ 1];
    out[t] = next + s[255 - t];
}

// What a step across warps lacks, and what a step in a warp lacks, are two barriers.
__global__ void sum(const int *in, int *out) {
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = in[t];
    if (t < 128) s[t] += s[t + 128];
    __syncthreads();
    if (t < 32) {
        s[t] += s[t + 16];
        s[t] += s[t + 8];
    }
    out[t] = s[0];
}

// Between two sides of a branch there is no place for one.
__global__ void halves(const int *in, int *out) {
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t < 32)
        s[t] = in[t];
    else
        out[t] = s[t - 32];
}

// There is one in the loop, and it takes two.
__global__ void tiles(const int *in, int *out, int n) {
    __shared__ int s[64];
    int t = threadIdx.x, sum = 0;
    for (int i = 0; i < n; i++) {
        s[t] = in[i * 64 + t];
        wait();
        sum += s[63 - t];
    }
    out[t] = sum;
}
__global__ void steps(const int *in, int *out, int n) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int i = 0; i < n; i++) {
        int v = s[63 - t];
        __syncthreads();
        s[t] = v + 1;
    }
    out[t] = s[t];
}
