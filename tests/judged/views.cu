// Views that are passed by value, as tensors are: what their functions return, and objects that stand for a part of them. Each number is a class of its own, as functions are looked at once for all who call them.
template <int N> struct View;
template <int N> struct Part { View<N> &of; int *at; __device__ Part(View<N> &of, int *at) : of(of), at(at) {} __device__ operator int &() const { return *at; } __device__ Part operator[](int i) { return Part(of, at + i * of.stride_[1]); } };
template <int N> struct View { int *data_; int stride_[2], size_[2]; __device__ int *data() const { return data_; } __device__ int size(int i) const { return size_[i]; } __device__ Part<N> operator[](int i) { return Part<N>(*this, data_ + i * stride_[0]); } };
template <class T> __device__ T round_down(T a, T b) { return a / b * b; }
__global__ void v0(int n, View<0> v) { if (v.data()[n] > 3) return; __syncthreads(); }
__global__ void v1(int n, View<0> v) { int list = v[blockIdx.y][blockIdx.x]; if (list == -1) return; __syncthreads(); }
__global__ void v2(int n, View<0> v) { if (*v[n].at > 3) return; __syncthreads(); }
__global__ void v3(int *out, View<0> v) { int limit = round_down(v.size(1), 32); for (int i = threadIdx.x; i < limit; i += 128) out[i] = __any_sync(~0u, *v[1][i].at); }
__global__ void v4(int n, View<0> v) { if (v.data()[threadIdx.x] > 3) return; __syncthreads(); } // warning RC0209
__global__ void v5(int n, View<0> v) { int list = v[threadIdx.x][blockIdx.x]; if (list == -1) return; __syncthreads(); } // warning RC0209
__global__ void v6(int n, View<1> v) { v.stride_[0] = threadIdx.x; if (v[n][1] > 3) return; __syncthreads(); } // warning RC0209
__global__ void v7(int n, View<2> v) { int mine[2] = {n, (int)threadIdx.x}; v.data_ = mine; if (v.data()[n & 1] > 3) return; __syncthreads(); } // warning RC0209
