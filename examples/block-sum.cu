// The sum of each block's values. The barrier is one line too far in: it stands in the branch.
__global__ void block_sum(const float *in, float *out) {
    __shared__ float partial[256];
    partial[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();

    for (int step = blockDim.x / 2; step > 0; step /= 2) {
        if (threadIdx.x < step) {
            partial[threadIdx.x] += partial[threadIdx.x + step];
            __syncthreads();
        }
    }

    if (threadIdx.x == 0)
        out[blockIdx.x] = partial[0];
}
