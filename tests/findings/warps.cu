// Operations of warps in CUDA that lanes are missing from.

// 1: a reduction in a branch.
__global__ void reduce_some(const float *in, float *out) {
    float v = in[threadIdx.x];
    if (threadIdx.x % 32 < 20) {
        for (int d = 16; d > 0; d /= 2)
            v += __shfl_down_sync(0xffffffff, v, d);
    }
    out[threadIdx.x] = v;
}

// 2: a ballot after threads have left a loop.
__global__ void ballot_in_loop(const int *x, unsigned *out) {
    unsigned seen = 0;
    for (int i = 0; i < x[threadIdx.x]; i++)
        seen |= __ballot_sync(0xffffffff, x[i] > 0);
    out[threadIdx.x] = seen;
}

// 3: a broadcast by the leader only.
__global__ void leader(int *x) {
    int v = x[threadIdx.x];
    if (threadIdx.x % 32 == 0)
        v = __shfl_sync(0xffffffff, v, 0);
    x[threadIdx.x] = v;
}

// 4: a warp barrier in a branch.
__global__ void syncwarp(int *x) {
    if (x[threadIdx.x])
        __syncwarp();
}

// 5: a template that the host starts twice.
template <int N>
__global__ void shift(int *x) {
    if (threadIdx.x < N)
        x[threadIdx.x] = __shfl_up_sync(0xffffffff, x[threadIdx.x], 1);
}

void host(int *x) {
    shift<8><<<1, 32>>>(x);
    shift<16><<<1, 32>>>(x);
}
