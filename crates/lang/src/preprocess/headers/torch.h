// What kernels use of PyTorch: accessors of tensors, numbers of 16 bits, launch bounds and loops. Tensors are of the host, and unknown.
#ifndef __RECONVERGE_TORCH
#define __RECONVERGE_TORCH
#ifdef __HIP__
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#else
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#endif
#include <cstddef>
#include <cstdint>

#define C10_HOST_DEVICE __host__ __device__
#define C10_DEVICE __device__
#define C10_HOST __host__
#define C10_LAUNCH_BOUNDS_0 __launch_bounds__(256, 4)
#define C10_LAUNCH_BOUNDS_1(__n) __launch_bounds__(__n)
#define C10_LAUNCH_BOUNDS_2(__n, __blocks) __launch_bounds__(__n, __blocks)
#ifdef __HIP__
#define C10_WARP_SIZE warpSize
#else
#define C10_WARP_SIZE 32
#endif
#define CUDA_KERNEL_ASSERT(__holds) assert(__holds)
#define CUDA_KERNEL_LOOP_TYPE(i, n, __index)                                                            \
  for (int64_t _i_n_d_e_x = int64_t(blockIdx.x) * blockDim.x + threadIdx.x, i = _i_n_d_e_x; _i_n_d_e_x < (n); \
       _i_n_d_e_x += blockDim.x * gridDim.x, i = _i_n_d_e_x)
#ifndef CUDA_KERNEL_LOOP
#define CUDA_KERNEL_LOOP(i, n) CUDA_KERNEL_LOOP_TYPE(i, n, int)
#endif

namespace c10 {
typedef half Half;
typedef __nv_bfloat16 BFloat16;
}  // namespace c10

namespace at {
using c10::BFloat16;
using c10::Half;

template <typename __t> struct OpMathType {
  typedef __t type;
};
template <> struct OpMathType<Half> {
  typedef float type;
};
template <> struct OpMathType<BFloat16> {
  typedef float type;
};
template <typename __t> using opmath_type = typename OpMathType<__t>::type;
template <typename __t, bool __is_cuda> using acc_type = typename OpMathType<__t>::type;

template <typename __t> struct DefaultPtrTraits {
  typedef __t* PtrType;
};
template <typename __t> struct RestrictPtrTraits {
  typedef __t* __restrict__ PtrType;
};

// What all accessors have.
#define __RECONVERGE_ACCESSOR                                                            \
  __host__ __device__ __index size(__index __i) const { return sizes_[__i]; }            \
  __host__ __device__ __index stride(__index __i) const { return strides_[__i]; }        \
  __host__ __device__ PtrType data() { return data_; }                                   \
  __host__ __device__ const PtrType data() const { return data_; }
// What an index of one of several dimensions, and of one dimension, gives.
#define __RECONVERGE_PARTS                                                                                 \
  typedef TensorAccessor<__t, __n - 1, __traits, __index> __part;                                          \
  __host__ __device__ __part operator[](__index __i) {                                                     \
    return __part(data_ + strides_[0] * __i, sizes_ + 1, strides_ + 1);                                    \
  }                                                                                                        \
  __host__ __device__ const __part operator[](__index __i) const {                                         \
    return __part(data_ + strides_[0] * __i, sizes_ + 1, strides_ + 1);                                    \
  }
#define __RECONVERGE_ELEMENTS                                                               \
  __host__ __device__ __t& operator[](__index __i) { return data_[strides_[0] * __i]; }     \
  __host__ __device__ const __t& operator[](__index __i) const { return data_[strides_[0] * __i]; }
// Sizes and strides of a part of a tensor lie elsewhere.
#define __RECONVERGE_OF_PART                                                                          \
  typedef typename __traits<__t>::PtrType PtrType;                                                    \
  PtrType data_;                                                                                      \
  const __index* sizes_;                                                                              \
  const __index* strides_;                                                                            \
  __host__ __device__ TensorAccessor(PtrType __data, const __index* __sizes, const __index* __strides) \
      : data_(__data), sizes_(__sizes), strides_(__strides) {}                                        \
  __RECONVERGE_ACCESSOR
// A kernel is given a tensor with them.
#define __RECONVERGE_PACKED(__count)               \
  typedef typename __traits<__t>::PtrType PtrType; \
  PtrType data_;                                   \
  __index sizes_[__count];                         \
  __index strides_[__count];                       \
  __RECONVERGE_ACCESSOR

template <typename __t, size_t __n, template <typename> class __traits = DefaultPtrTraits, typename __index = int64_t>
struct TensorAccessor {
  __RECONVERGE_OF_PART
  __RECONVERGE_PARTS
};
template <typename __t, template <typename> class __traits, typename __index> struct TensorAccessor<__t, 1, __traits, __index> {
  __RECONVERGE_OF_PART
  __RECONVERGE_ELEMENTS
};
template <typename __t, size_t __n, template <typename> class __traits = DefaultPtrTraits, typename __index = int64_t>
struct GenericPackedTensorAccessor {
  __RECONVERGE_PACKED(__n)
  __RECONVERGE_PARTS
};
template <typename __t, template <typename> class __traits, typename __index>
struct GenericPackedTensorAccessor<__t, 1, __traits, __index> {
  __RECONVERGE_PACKED(1)
  __RECONVERGE_ELEMENTS
};
template <typename __t, size_t __n, template <typename> class __traits = DefaultPtrTraits>
using PackedTensorAccessor32 = GenericPackedTensorAccessor<__t, __n, __traits, int32_t>;
template <typename __t, size_t __n, template <typename> class __traits = DefaultPtrTraits>
using PackedTensorAccessor64 = GenericPackedTensorAccessor<__t, __n, __traits, int64_t>;
template <typename __t, size_t __n, template <typename> class __traits = DefaultPtrTraits>
using PackedTensorAccessor = GenericPackedTensorAccessor<__t, __n, __traits, int64_t>;

namespace cuda {
template <typename __t> __host__ __device__ __t ATenCeilDiv(__t __a, __t __b) { return (__a + __b - 1) / __b; }

namespace detail {
// A tensor of up to 25 dimensions.
template <typename __t, typename __index> struct TensorInfo {
  __t* data;
  __index sizes[25];
  __index strides[25];
  int dims;
  __host__ __device__ bool isContiguous() const { return dims == 1 && strides[0] == 1; }
};
// Where the element with a number is. A number of dimensions below zero: only the tensor knows it.
template <typename __t, typename __index, int __dims> struct IndexToOffset {
  static __host__ __device__ __index get(__index __number, const TensorInfo<__t, __index>& __info) {
    __index __offset = 0;
    for (int __i = (__dims < 0 ? __info.dims : __dims) - 1; __i > 0; --__i) {
      __offset += __number % __info.sizes[__i] * __info.strides[__i];
      __number /= __info.sizes[__i];
    }
    return __offset + __number * __info.strides[0];
  }
};
}  // namespace detail
}  // namespace cuda
}  // namespace at

namespace torch {
using at::BFloat16;
using at::DefaultPtrTraits;
using at::GenericPackedTensorAccessor;
using at::Half;
using at::PackedTensorAccessor;
using at::PackedTensorAccessor32;
using at::PackedTensorAccessor64;
using at::RestrictPtrTraits;
using at::TensorAccessor;
}  // namespace torch

template <typename __t> static __device__ __inline__ __t gpuAtomicAdd(__t* __p, __t __x) { return atomicAdd(__p, __x); }
template <typename __t> static __device__ __inline__ void gpuAtomicAddNoReturn(__t* __p, __t __x) { atomicAdd(__p, __x); }

// Shuffles of whole warps by PyTorch's names.
#define WARP_SHFL(...) __reconverge_warp_shfl(__VA_ARGS__)
#define WARP_SHFL_UP(...) __reconverge_warp_shfl_up(__VA_ARGS__)
#define WARP_SHFL_DOWN(...) __reconverge_warp_shfl_down(__VA_ARGS__)
#define WARP_SHFL_XOR(...) __reconverge_warp_shfl_xor(__VA_ARGS__)
#ifdef __HIP__
#define __RECONVERGE_SHUFFLE(__mask, __name, __value, __by, __width) __name(__value, __by, __width)
#else
#define __RECONVERGE_SHUFFLE(__mask, __name, __value, __by, __width) __name##_sync(__mask, __value, __by, __width)
#endif
#define __RECONVERGE_WARP_SHUFFLE(__own, __name)                                                                 \
  template <typename __t>                                                                                        \
  static __device__ __inline__ __attribute__((expanded)) __t __own(__t __value, int __by, int __width = warpSize, unsigned __mask = 0xffffffff) { \
    return __RECONVERGE_SHUFFLE(__mask, __name, __value, __by, __width);                                         \
  }
__RECONVERGE_WARP_SHUFFLE(__reconverge_warp_shfl, __shfl)
__RECONVERGE_WARP_SHUFFLE(__reconverge_warp_shfl_up, __shfl_up)
__RECONVERGE_WARP_SHUFFLE(__reconverge_warp_shfl_down, __shfl_down)
__RECONVERGE_WARP_SHUFFLE(__reconverge_warp_shfl_xor, __shfl_xor)
#endif
