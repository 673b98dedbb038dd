// Barriers and wavefront operations of HIP.
#include <hip/hip_runtime.h>

// 1: the first wavefront only.
__global__ void some(float *x) {
    if (threadIdx.x < 40) {
        x[threadIdx.x] *= 2.0f;
        __syncthreads();
    }
}

// 2: an early return.
__global__ void returns_early(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    x[i] += 1.0f;
    __syncthreads();
}

// 3: a shuffle in a branch.
__global__ void shuffles(float *x) {
    float v = x[threadIdx.x];
    if (v > 0.0f)
        v += __shfl_xor(v, 1);
    x[threadIdx.x] = v;
}

// 4: a vote in a loop that threads leave one by one.
__global__ void votes(const int *x, int *out) {
    int i = 0;
    while (i < x[threadIdx.x]) {
        if (__all(x[i] == 0))
            break;
        i++;
    }
    out[threadIdx.x] = i;
}

// 5: a member function with a barrier.
struct Tile {
    float *data;
    __device__ void put(int at, float value) {
        data[at] = value;
        __syncthreads();
    }
};

__global__ void members(float *x) {
    Tile tile{x};
    if (threadIdx.x > 3)
        tile.put(threadIdx.x, 1.0f);
}

// 6: a ballot of the odd lanes.
__global__ void odd_lanes(unsigned long long *out) {
    if (threadIdx.x & 1)
        out[threadIdx.x] = __ballot(1);
}

// 7: a condition of two parts.
__global__ void two_parts(const int *x, int n, int *out) {
    int i = threadIdx.x;
    if (i < n && x[i] != 0) {
        out[i] = x[i];
        __syncthreads();
    }
}
