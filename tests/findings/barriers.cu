// Barriers of CUDA that not all threads of a block reach together.

// 1: half of the block stays out.
__global__ void half_block(float *x) {
    if (threadIdx.x < 16) {
        x[threadIdx.x] *= 2.0f;
        __syncthreads();
    }
}

// 2: a loop with another number of rounds in each thread.
__global__ void own_rounds(const int *rounds, int *out) {
    int sum = 0;
    for (int r = 0; r < (int)threadIdx.x; r++) {
        sum += rounds[r];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// 3: the tail of an array.
__global__ void tail(const float *in, float *out, int n) {
    __shared__ float tile[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        tile[threadIdx.x] = in[i];
        __syncthreads();
        out[i] = tile[blockDim.x - 1 - threadIdx.x];
    }
}

// 4: an early return.
__global__ void returns_early(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    x[i] += 1.0f;
    __syncthreads();
}

// 5: a barrier in a helper.
__device__ void publish(float *slot, float value) {
    *slot = value;
    __syncthreads();
}

__global__ void through_a_helper(float *slots, float value) {
    if (threadIdx.x % 2 == 0)
        publish(&slots[threadIdx.x / 2], value);
}

// 6: two barriers on two sides of a branch.
__global__ void two_barriers(int *x) {
    if (x[threadIdx.x] > 0) {
        x[threadIdx.x] = 0;
        __syncthreads();
    } else {
        x[threadIdx.x] = 1;
        __syncthreads();
    }
}

// 7: a case of a switch.
__global__ void in_a_case(int *x) {
    switch (threadIdx.x & 3) {
    case 0:
        x[threadIdx.x] = 7;
        break;
    case 1:
        __syncthreads();
        break;
    }
}

// 8: a count of a block that only some threads give a value to.
__global__ void counts(const int *x, int *out) {
    int v = x[threadIdx.x];
    if (v != 0) {
        int all = __syncthreads_count(v > 10);
        if (threadIdx.x == 0)
            *out = all;
    }
}
