template <int N> struct Sum { static const int value = N + Sum<N - 1>::value; };
template <> struct Sum<0> { static const int value = 0; };
template <class T> __device__ T twice(T a) { return a + a; }
__global__ void k(int *out, int n) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t & 31] = twice(t) + Sum<5>::value;
  __syncthreads();
  if (t < n) out[t] = __shfl_sync(0xffffffffu, s[(t + 1) & 31], 0);
}
