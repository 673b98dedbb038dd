// Matrices that are spread over a warp: `nvcuda::wmma` and rocWMMA; `__wmma_name` is the namespace. Which thread has which element is nobody's business but ours:
// a thread has neighbours in a row of the first matrix and of the accumulator, and in a column of the second one.
#pragma once

#define __wmma __device__ __attribute__((expanded))
#ifdef __HIP__
#define __wmma_warp warpSize
#define __wmma_wait() __syncwarp()
#define __wmma_there() 0u
#else
#define __wmma_warp 32
#define __wmma_wait() __syncwarp(0xffffffffu)
#define __wmma_there() __activemask()
#endif

namespace __wmma_name {

struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32 {};
}

// What an element is in memory, and what products of it are computed in.
template <typename __t> struct __element {
  typedef __t type;
  typedef __t wide;
};
template <> struct __element<precision::tf32> {
  typedef float type;
  typedef float wide;
};
template <> struct __element<half> {
  typedef half type;
  typedef float wide;
};
template <> struct __element<signed char> {
  typedef signed char type;
  typedef int wide;
};
template <> struct __element<unsigned char> {
  typedef unsigned char type;
  typedef int wide;
};

// How long the lines are that lie in a row in a thread.
template <typename __use, int __m, int __n, int __k> struct __extent {
  static constexpr int lines = __m, length = __n;
};
template <int __m, int __n, int __k> struct __extent<matrix_a, __m, __n, __k> {
  static constexpr int lines = __m, length = __k;
};
template <int __m, int __n, int __k> struct __extent<matrix_b, __m, __n, __k> {
  static constexpr int lines = __n, length = __k;
};

// Whether a line lies in a row in memory.
template <typename __use, typename __layout> struct __along {
  static constexpr bool value = true;
};
template <> struct __along<matrix_a, col_major> {
  static constexpr bool value = false;
};
template <> struct __along<matrix_b, row_major> {
  static constexpr bool value = false;
};

template <typename __use, int __m, int __n, int __k, typename __t, typename __layout = void> struct fragment {
  typedef typename __element<__t>::type element_type;
  typedef typename __element<__t>::type storage_element_type;
  static constexpr int __lines = __extent<__use, __m, __n, __k>::lines;
  static constexpr int __length = __extent<__use, __m, __n, __k>::length;
  static constexpr int num_elements = __lines * __length / 32;
  static constexpr int num_storage_elements = num_elements;
  typename __element<__t>::type x[num_elements];
  __device__ static int __held() { return __lines * __length / __wmma_warp; }
};

template <typename __use, int __m, int __n, int __k, typename __t, typename __layout, typename __v>
__device__ void fill_fragment(fragment<__use, __m, __n, __k, __t, __layout>& __to, const __v& __value) {
  for (int __i = 0; __i < __to.num_elements; __i++) __to.x[__i] = __value;
}

// Element `__i` of this thread is this far from the first one in memory.
template <typename __f> __wmma int __place(const __f& __of, int __i, unsigned __stride, bool __along) {
  int __at = int(__lane_id()) * __f::__held() + __i;
  int __line = __at / __of.__length, __in_line = __at % __of.__length;
  return __along ? __line * __stride + __in_line : __in_line * __stride + __line;
}

template <typename __f, typename __p>
__device__ void __load(__f& __to, const __p* __from, unsigned __stride, bool __along) {
  for (int __i = 0; __i < __f::__held(); __i++) __to.x[__i] = __from[__place(__to, __i, __stride, __along)];
}

template <typename __f, typename __p>
__device__ void __store(__p* __to, const __f& __from, unsigned __stride, bool __along) {
  for (int __i = 0; __i < __f::__held(); __i++) __to[__place(__from, __i, __stride, __along)] = __from.x[__i];
}

template <typename __t> __wmma __t __value_of_lane(unsigned __all, __t __value, int __lane) {
#ifdef __HIP__
  return __shfl(__value, __lane);
#else
  return __shfl_sync(__all, __value, __lane);
#endif
}

// What the threads of `__all` have of two matrices comes together. They are those that waited for each other: that it has to be all is said by the wait.
template <typename __wide, int __n, int __k, typename __o, typename __a, typename __b, typename __c>
__device__ void __multiply(__o& __to, const __a& __left, const __b& __right, const __c& __more, unsigned __all) {
  for (int __i = 0; __i < __o::__held(); __i++) {
    int __at = int(__lane_id()) * __o::__held() + __i, __row = __at / __n, __column = __at % __n;
    __wide __sum = __more.x[__i];
    for (int __j = 0; __j < __k; __j++) {
      __wide __one = __left.x[__j % __a::__held()], __other = __right.x[__j % __b::__held()];
      __one = __value_of_lane(__all, __one, (__row * __k + __j) / __a::__held());
      __other = __value_of_lane(__all, __other, (__column * __k + __j) / __b::__held());
      __sum += __one * __other;
    }
    __to.x[__i] = __sum;
  }
}

template <typename __use, int __m, int __n, int __k, typename __t, typename __layout, typename __p>
__wmma void load_matrix_sync(fragment<__use, __m, __n, __k, __t, __layout>& __to, const __p* __from, unsigned __stride) {
  __wmma_wait();
  __load(__to, __from, __stride, __along<__use, __layout>::value);
}

template <int __m, int __n, int __k, typename __t, typename __p>
__wmma void load_matrix_sync(fragment<accumulator, __m, __n, __k, __t>& __to, const __p* __from, unsigned __stride,
                             layout_t __layout) {
  __wmma_wait();
  __load(__to, __from, __stride, __layout == mem_row_major);
}

template <int __m, int __n, int __k, typename __t, typename __p>
__wmma void store_matrix_sync(__p* __to, const fragment<accumulator, __m, __n, __k, __t>& __from, unsigned __stride,
                              layout_t __layout) {
  __wmma_wait();
  __store(__to, __from, __stride, __layout == mem_row_major);
}

template <int __m, int __n, int __k, typename __o, typename __a, typename __b, typename __c, typename __la, typename __lb>
__wmma void mma_sync(fragment<accumulator, __m, __n, __k, __o>& __to,
                     const fragment<matrix_a, __m, __n, __k, __a, __la>& __left,
                     const fragment<matrix_b, __m, __n, __k, __b, __lb>& __right,
                     const fragment<accumulator, __m, __n, __k, __c>& __more, bool __saturates = false) {
  __wmma_wait();
  __multiply<typename __element<__c>::wide, __n, __k>(__to, __left, __right, __more, __wmma_there());
}

inline __wmma float __float_to_tf32(float __value) {
  return __uint_as_float(__float_as_uint(__value) + 0x1000u & 0xffffe000u);
}

}  // namespace __wmma_name

#undef __wmma
#undef __wmma_warp
#undef __wmma_wait
#undef __wmma_there
