// What the headers of HIP bring into every file, as far as kernels use it: numbers of threads, and what waves do.
#define __reconverge_position(name, of_x, of_y, of_z)         \
  struct __reconverge_##name {                                \
    __declspec(property(get = read_x)) unsigned x;            \
    __declspec(property(get = read_y)) unsigned y;            \
    __declspec(property(get = read_z)) unsigned z;            \
    static inline __device__ unsigned read_x() { return of_x; } \
    static inline __device__ unsigned read_y() { return of_y; } \
    static inline __device__ unsigned read_z() { return of_z; } \
    __device__ operator dim3() const { return dim3(of_x, of_y, of_z); } \
  };                                                          \
  extern const __device__ __attribute__((weak)) __reconverge_##name name;
__reconverge_position(threadIdx, __builtin_amdgcn_workitem_id_x(), __builtin_amdgcn_workitem_id_y(), __builtin_amdgcn_workitem_id_z())
__reconverge_position(blockIdx, __builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workgroup_id_y(), __builtin_amdgcn_workgroup_id_z())
__reconverge_position(blockDim, __builtin_amdgcn_workgroup_size_x(), __builtin_amdgcn_workgroup_size_y(), __builtin_amdgcn_workgroup_size_z())
__reconverge_position(gridDim, __builtin_amdgcn_grid_size_x() / __builtin_amdgcn_workgroup_size_x(), __builtin_amdgcn_grid_size_y() / __builtin_amdgcn_workgroup_size_y(), __builtin_amdgcn_grid_size_z() / __builtin_amdgcn_workgroup_size_z())
#undef __reconverge_position
#define hipThreadIdx_x (threadIdx.x)
#define hipThreadIdx_y (threadIdx.y)
#define hipThreadIdx_z (threadIdx.z)
#define hipBlockIdx_x (blockIdx.x)
#define hipBlockIdx_y (blockIdx.y)
#define hipBlockIdx_z (blockIdx.z)
#define hipBlockDim_x (blockDim.x)
#define hipBlockDim_y (blockDim.y)
#define hipBlockDim_z (blockDim.z)
#define hipGridDim_x (gridDim.x)
#define hipGridDim_y (gridDim.y)
#define hipGridDim_z (gridDim.z)
#if __has_builtin(__builtin_amdgcn_wavefrontsize)
#define warpSize (int(__builtin_amdgcn_wavefrontsize()))
#else
#define warpSize 64
#endif

__reconverge void __syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
__reconverge void __threadfence_block() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup"); }
__reconverge void __threadfence() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent"); }
__reconverge void __threadfence_system() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, ""); }
__reconverge unsigned __lane_id() { return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0)); }
#if __has_builtin(__builtin_amdgcn_ballot_w64)
__reconverge unsigned long long __ballot(int x) { return __builtin_amdgcn_ballot_w64(x != 0); }
#else
__reconverge unsigned long long __ballot(int x) { return __builtin_amdgcn_uicmp(x, 0, 33); }
#endif
__reconverge int __any(int x) { return __ballot(x) != 0; }
__reconverge int __all(int x) { return __ballot(!x) == 0; }
__reconverge unsigned long long __activemask() { return __ballot(true); }
__reconverge int __popc(unsigned x) { return __builtin_popcount(x); }
__reconverge int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
__reconverge int __ffs(int x) { return __builtin_ffs(x); }
__reconverge int __ffsll(unsigned long long x) { return __builtin_ffsll(x); }
__reconverge int __clz(int x) { return x ? __builtin_clz(x) : 32; }
__reconverge int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
__reconverge float __int_as_float(int x) { return __builtin_bit_cast(float, x); }

__reconverge int __shfl(int x, int lane, int width = warpSize) {
  int self = __lane_id(), index = (lane & (width - 1)) + (self & ~(width - 1));
  return __builtin_amdgcn_ds_bpermute(index << 2, x);
}
__reconverge int __shfl_up(int x, unsigned by, int width = warpSize) {
  int self = __lane_id(), index = self - by;
  return __builtin_amdgcn_ds_bpermute((index < (self & ~(width - 1)) ? self : index) << 2, x);
}
__reconverge int __shfl_down(int x, unsigned by, int width = warpSize) {
  int self = __lane_id(), index = self + by;
  return __builtin_amdgcn_ds_bpermute((int((self & (width - 1)) + by) >= width ? self : index) << 2, x);
}
__reconverge int __shfl_xor(int x, int lanes, int width = warpSize) {
  int self = __lane_id(), index = self ^ lanes;
  return __builtin_amdgcn_ds_bpermute((index >= ((self + width) & ~(width - 1)) ? self : index) << 2, x);
}
#define __reconverge_shuffled(name, lane)                                                                       \
  __reconverge unsigned name(unsigned x, lane by, int width = warpSize) { return name(int(x), by, width); }     \
  __reconverge float name(float x, lane by, int width = warpSize) { return __int_as_float(name(__float_as_int(x), by, width)); }
__reconverge_shuffled(__shfl, int)
__reconverge_shuffled(__shfl_up, unsigned)
__reconverge_shuffled(__shfl_down, unsigned)
__reconverge_shuffled(__shfl_xor, int)

// Those with a mask are left as calls: what they become has no mask any more.
#define __reconverge_masked(result, name, ...) \
  __device__ __attribute__((convergent)) result __reconverge_masked_##name(unsigned long long mask, __VA_ARGS__) __asm__(#name);
__reconverge_masked(unsigned long long, __ballot_sync, int)
__reconverge_masked(int, __any_sync, int)
__reconverge_masked(int, __all_sync, int)
__reconverge_masked(int, __shfl_sync, int, int, int)
__reconverge_masked(int, __shfl_up_sync, int, int, int)
__reconverge_masked(int, __shfl_down_sync, int, int, int)
__reconverge_masked(int, __shfl_xor_sync, int, int, int)
__reconverge unsigned long long __ballot_sync(unsigned long long mask, int x) { return __reconverge_masked___ballot_sync(mask, x); }
__reconverge int __any_sync(unsigned long long mask, int x) { return __reconverge_masked___any_sync(mask, x); }
__reconverge int __all_sync(unsigned long long mask, int x) { return __reconverge_masked___all_sync(mask, x); }
#define __reconverge_shuffled_sync(name, lane)                                                                  \
  __reconverge int name(unsigned long long mask, int x, lane by, int width = warpSize) { return __reconverge_masked_##name(mask, x, by, width); } \
  __reconverge unsigned name(unsigned long long mask, unsigned x, lane by, int width = warpSize) { return name(mask, int(x), by, width); } \
  __reconverge float name(unsigned long long mask, float x, lane by, int width = warpSize) { return __int_as_float(name(mask, __float_as_int(x), by, width)); }
__reconverge_shuffled_sync(__shfl_sync, int)
__reconverge_shuffled_sync(__shfl_up_sync, unsigned)
__reconverge_shuffled_sync(__shfl_down_sync, unsigned)
__reconverge_shuffled_sync(__shfl_xor_sync, int)
#undef __reconverge_shuffled_sync
#undef __reconverge_masked
__device__ __attribute__((convergent)) void __reconverge_masked___syncwarp(unsigned long long mask) __asm__("__syncwarp");
__reconverge void __syncwarp(unsigned long long mask) { __reconverge_masked___syncwarp(mask); }
// Without one, nobody has to be there.
__reconverge void __syncwarp() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}
#undef __reconverge_shuffled

__reconverge_extremes(int)
#define __reconverge_mathematics(name)                                        \
  __reconverge float name##f(float x) { return __builtin_##name##f(x); }      \
  __reconverge double name(double x) { return __builtin_##name(x); }
__reconverge_mathematics(sqrt)
__reconverge_mathematics(fabs)
__reconverge_mathematics(floor)
__reconverge_mathematics(ceil)
__reconverge_mathematics(exp)
__reconverge_mathematics(log)
__reconverge_mathematics(sin)
__reconverge_mathematics(cos)

typedef struct ihipStream_t *hipStream_t;
// What a launch calls.
extern "C" __attribute__((host)) int hipConfigureCall(dim3, dim3, size_t = 0, hipStream_t = 0);
extern "C" __attribute__((host)) int __hipPushCallConfiguration(dim3, dim3, size_t = 0, hipStream_t = 0);
