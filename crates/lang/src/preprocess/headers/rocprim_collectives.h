// What threads of a block or warp do together in rocPRIM, and the operations that they do it with.
// Where no storage is given, there is one for each kind of a collective.
#pragma once
#include <limits>
#include <type_traits>
#include <utility>
#include <hip/hip_bfloat16.h>
#include <hip/hip_fp16.h>
#include <reconverge/collective_parts.h>

#define ROCPRIM_DEVICE __device__
#define ROCPRIM_HOST __host__
#define ROCPRIM_HOST_DEVICE __host__ __device__
#define ROCPRIM_SHARED_MEMORY __shared__
#define ROCPRIM_KERNEL __global__
#define ROCPRIM_INLINE inline
#define ROCPRIM_FORCE_INLINE inline
#define ROCPRIM_LAUNCH_BOUNDS(...) __launch_bounds__(__VA_ARGS__)
#define ROCPRIM_UNROLL
#define ROCPRIM_NO_UNROLL
#define ROCPRIM_IF_CONSTEXPR constexpr
#define ROCPRIM_WARP_SIZE_32 32u
#define ROCPRIM_WARP_SIZE_64 64u
#define ROCPRIM_MAX_WARP_SIZE 64u
#define ROCPRIM_WAVEFRONT_SIZE 64
#define ROCPRIM_DEFAULT_MAX_BLOCK_SIZE 256
#define ROCPRIM_DEFAULT_MIN_WARPS_PER_EU 1
#define ROCPRIM_GRID_SIZE_LIMIT 0xffffffffu
#define ROCPRIM_CLANG_SUPPRESS_WARNING_PUSH
#define ROCPRIM_CLANG_SUPPRESS_WARNING_POP
#define ROCPRIM_CLANG_SUPPRESS_WARNING(...)
#define ROCPRIM_CLANG_SUPPRESS_WARNING_WITH_PUSH(...)
#define BEGIN_ROCPRIM_NAMESPACE namespace rocprim {
#define END_ROCPRIM_NAMESPACE }

namespace rocprim {

struct empty_type {};
struct identity_decomposer {};
template <typename __k, typename __v> struct key_value_pair {
  typedef __k Key;
  typedef __v Value;
  typedef __k key_type;
  typedef __v value_type;
  __k key;
  __v value;
};
typedef unsigned long long lane_mask_type;
typedef __half half;
typedef __half native_half;
typedef hip_bfloat16 bfloat16;
typedef hip_bfloat16 native_bfloat16;
template <typename __t> struct is_integral : std::is_integral<__t> {};
template <typename __t> struct is_floating_point : std::is_floating_point<__t> {};
template <> struct is_floating_point<half> : std::true_type {};
template <> struct is_floating_point<bfloat16> : std::true_type {};
template <typename __t> struct is_arithmetic
    : std::integral_constant<bool, is_integral<__t>::value || is_floating_point<__t>::value> {};
template <typename __t> struct is_signed : std::is_signed<__t> {};
template <typename __t> struct is_unsigned : std::is_unsigned<__t> {};

template <typename __t = void> struct plus {
  __host__ __device__ constexpr __t operator()(const __t& __a, const __t& __b) const { return __a + __b; }
};
template <> struct plus<void> {
  template <typename __t> __host__ __device__ constexpr __t operator()(const __t& __a, const __t& __b) const { return __a + __b; }
};
template <typename __t = void> struct minus {
  __host__ __device__ constexpr __t operator()(const __t& __a, const __t& __b) const { return __a - __b; }
};
template <> struct minus<void> {
  template <typename __t> __host__ __device__ constexpr __t operator()(const __t& __a, const __t& __b) const { return __a - __b; }
};
template <typename __t = void> struct multiplies {
  __host__ __device__ constexpr __t operator()(const __t& __a, const __t& __b) const { return __a * __b; }
};
template <> struct multiplies<void> {
  template <typename __t> __host__ __device__ constexpr __t operator()(const __t& __a, const __t& __b) const { return __a * __b; }
};
template <typename __t = void> struct maximum {
  __host__ __device__ constexpr __t operator()(const __t& __a, const __t& __b) const { return __a < __b ? __b : __a; }
};
template <> struct maximum<void> {
  template <typename __t>
  __host__ __device__ constexpr __t operator()(const __t& __a, const __t& __b) const { return __a < __b ? __b : __a; }
};
template <typename __t = void> struct minimum {
  __host__ __device__ constexpr __t operator()(const __t& __a, const __t& __b) const { return __a < __b ? __a : __b; }
};
template <> struct minimum<void> {
  template <typename __t>
  __host__ __device__ constexpr __t operator()(const __t& __a, const __t& __b) const { return __a < __b ? __a : __b; }
};
template <typename __t = void> struct less {
  __host__ __device__ constexpr bool operator()(const __t& __a, const __t& __b) const { return __a < __b; }
};
template <> struct less<void> {
  template <typename __t>
  __host__ __device__ constexpr bool operator()(const __t& __a, const __t& __b) const { return __a < __b; }
};
template <typename __t = void> struct less_equal {
  __host__ __device__ constexpr bool operator()(const __t& __a, const __t& __b) const { return __a <= __b; }
};
template <> struct less_equal<void> {
  template <typename __t>
  __host__ __device__ constexpr bool operator()(const __t& __a, const __t& __b) const { return __a <= __b; }
};
template <typename __t = void> struct greater {
  __host__ __device__ constexpr bool operator()(const __t& __a, const __t& __b) const { return __a > __b; }
};
template <> struct greater<void> {
  template <typename __t>
  __host__ __device__ constexpr bool operator()(const __t& __a, const __t& __b) const { return __a > __b; }
};
template <typename __t = void> struct greater_equal {
  __host__ __device__ constexpr bool operator()(const __t& __a, const __t& __b) const { return __a >= __b; }
};
template <> struct greater_equal<void> {
  template <typename __t>
  __host__ __device__ constexpr bool operator()(const __t& __a, const __t& __b) const { return __a >= __b; }
};
template <typename __t = void> struct equal_to {
  __host__ __device__ constexpr bool operator()(const __t& __a, const __t& __b) const { return __a == __b; }
};
template <> struct equal_to<void> {
  template <typename __t>
  __host__ __device__ constexpr bool operator()(const __t& __a, const __t& __b) const { return __a == __b; }
};
template <typename __t = void> struct not_equal_to {
  __host__ __device__ constexpr bool operator()(const __t& __a, const __t& __b) const { return __a != __b; }
};
template <> struct not_equal_to<void> {
  template <typename __t>
  __host__ __device__ constexpr bool operator()(const __t& __a, const __t& __b) const { return __a != __b; }
};
template <typename __t = void> struct identity {
  __host__ __device__ constexpr __t operator()(const __t& __a) const { return __a; }
};
template <> struct identity<void> {
  template <typename __t> __host__ __device__ constexpr __t operator()(const __t& __a) const { return __a; }
};
template <typename __t> __host__ __device__ constexpr __t max(const __t& __a, const __t& __b) { return __a < __b ? __b : __a; }
template <typename __t> __host__ __device__ constexpr __t min(const __t& __a, const __t& __b) { return __a < __b ? __a : __b; }
template <typename __t> __host__ __device__ void swap(__t& __a, __t& __b) {
  __t __kept = __a;
  __a = __b;
  __b = __kept;
}

// Where a thread is.
__attribute__((reconverge_library)) __host__ __device__ constexpr unsigned warp_size() { return 64; }
__attribute__((reconverge_library)) __device__ constexpr unsigned device_warp_size() { return 64; }
__expand unsigned lane_id() { return __lane_id(); }
__expand unsigned flat_block_size() { return blockDim.x * blockDim.y * blockDim.z; }
__expand unsigned flat_block_thread_id() { return __collective::__rank(); }
template <unsigned __x, unsigned __y, unsigned __z> __expand unsigned flat_block_thread_id() {
  return threadIdx.x + __x * (threadIdx.y + __y * threadIdx.z);
}
__expand unsigned flat_block_id() { return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z); }
template <unsigned __x, unsigned __y, unsigned __z> __expand unsigned flat_block_id() { return flat_block_id(); }
__expand unsigned flat_tile_size() { return flat_block_size(); }
__expand unsigned flat_tile_thread_id() { return __collective::__rank(); }
__expand unsigned warp_id() { return __collective::__rank() / 64; }
__expand unsigned warp_id(unsigned __at) { return __at / 64; }
template <unsigned __x, unsigned __y, unsigned __z> __expand unsigned warp_id() {
  return flat_block_thread_id<__x, __y, __z>() / 64;
}
template <unsigned __n> __expand unsigned block_thread_id() {
  return __n == 0 ? threadIdx.x : __n == 1 ? threadIdx.y : threadIdx.z;
}
template <unsigned __n> __expand unsigned block_id() { return __n == 0 ? blockIdx.x : __n == 1 ? blockIdx.y : blockIdx.z; }
template <unsigned __n> __expand unsigned block_size() { return __n == 0 ? blockDim.x : __n == 1 ? blockDim.y : blockDim.z; }
template <unsigned __n> __expand unsigned grid_size() { return __n == 0 ? gridDim.x : __n == 1 ? gridDim.y : gridDim.z; }
namespace detail {
template <unsigned __n> __expand unsigned logical_lane_id() { return __lane_id() % __n; }
template <unsigned __n> __expand unsigned logical_warp_id() { return __collective::__rank() / __n; }
struct empty_storage_type {
  char __unused;
};
// A storage for each warp of a block.
template <typename __s, unsigned __w> struct __each {
  __s __of[1024 / __w];
};
template <typename __s, unsigned __w> __expand __s& __of_warp() {
  return __collective::__own<__each<__s, __w>>().__of[__collective::__rank() / __w];
}
}  // namespace detail

__expand void syncthreads() { __syncthreads(); }
__expand void wave_barrier() { __syncwarp(); }
__expand lane_mask_type ballot(int __is) { return __ballot(__is); }
__expand int warp_any(int __is) { return __any(__is); }
__expand int warp_all(int __is) { return __all(__is); }
__expand unsigned masked_bit_count(lane_mask_type __mask, unsigned __more = 0) {
  return __popcll(__mask & ((1ull << __lane_id()) - 1)) + __more;
}
__expand bool group_elect(lane_mask_type __mask) { return __ffsll(__mask) - 1 == int(__lane_id()); }
__expand unsigned bit_count(unsigned __word) { return __popc(__word); }
__expand unsigned bit_count(unsigned long long __word) { return __popcll(__word); }
__expand int get_bit(int __word, int __at) { return __word >> __at & 1; }
__expand unsigned ctz(unsigned __word) { return __ffs(__word) - 1; }
__expand unsigned ctz(unsigned long long __word) { return __ffsll(__word) - 1; }
template <typename __t> __expand __t warp_shuffle(const __t& __v, int __from, int __width = 64) {
  return __shfl(__v, __from, __width);
}
template <typename __t> __expand __t warp_shuffle_up(const __t& __v, unsigned __by, int __width = 64) {
  return __shfl_up(__v, __by, __width);
}
template <typename __t> __expand __t warp_shuffle_down(const __t& __v, unsigned __by, int __width = 64) {
  return __shfl_down(__v, __by, __width);
}
template <typename __t> __expand __t warp_shuffle_xor(const __t& __v, int __bits, int __width = 64) {
  return __shfl_xor(__v, __bits, __width);
}
template <typename __t> __expand __t warp_readlane(const __t& __v, int __from) { return __shfl(__v, __from); }
__expand void memory_fence_system() { __threadfence_system(); }
__expand void memory_fence_device() { __threadfence(); }
__expand void memory_fence_block() { __threadfence_block(); }
__attribute__((reconverge_library)) __device__ lane_mask_type match_any(unsigned __label, unsigned __bits, bool __is = true) {
  lane_mask_type __same = __ballot(__is);
  for (unsigned __i = 0; __i < __bits; __i++) {
    lane_mask_type __set = __ballot(__label >> __i & 1);
    __same &= __label >> __i & 1 ? __set : ~__set;
  }
  return __is ? __same : 0;
}
template <unsigned __bits> __expand lane_mask_type match_any(unsigned __label, bool __is = true) {
  return match_any(__label, __bits, __is);
}
namespace detail {
using rocprim::block_id;
using rocprim::block_size;
using rocprim::block_thread_id;
using rocprim::grid_size;
using rocprim::warp_all;
using rocprim::warp_any;
using rocprim::memory_fence_system;
using rocprim::memory_fence_device;
using rocprim::memory_fence_block;
template <typename __t> __expand __t atomic_add(__t* __to, __t __by) { return atomicAdd(__to, __by); }
template <typename __t> __expand __t atomic_exch(__t* __to, __t __v) { return atomicExch(__to, __v); }
}  // namespace detail

enum class block_reduce_algorithm {
  using_warp_reduce,
  raking_reduce,
  raking_reduce_commutative_only,
  default_algorithm = using_warp_reduce
};
enum class block_scan_algorithm { using_warp_scan, reduce_then_scan, default_algorithm = using_warp_scan };
enum class block_sort_algorithm { bitonic_sort, merge_sort, stable_merge_sort, default_algorithm = bitonic_sort };
enum class block_histogram_algorithm { using_atomic, using_sort, default_algorithm = using_atomic };
enum class block_radix_rank_algorithm { basic, basic_memoize, match, default_algorithm = basic };
enum class block_load_method {
  block_load_direct,
  block_load_striped,
  block_load_vectorize,
  block_load_transpose,
  block_load_warp_transpose,
  default_method = block_load_direct
};
enum class warp_load_method {
  warp_load_direct,
  warp_load_striped,
  warp_load_vectorize,
  warp_load_transpose,
  default_method = warp_load_direct
};
enum class block_store_method {
  block_store_direct,
  block_store_striped,
  block_store_vectorize,
  block_store_transpose,
  block_store_warp_transpose,
  default_method = block_store_direct
};
enum class warp_store_method {
  warp_store_direct,
  warp_store_striped,
  warp_store_vectorize,
  warp_store_transpose,
  default_method = warp_store_direct
};

template <typename __p, typename __t, unsigned __n>
__expand void block_load_direct_blocked(unsigned __at, __p __from, __t (&__items)[__n]) {
  __collective::__load(__from, __items, __at * __n, 1, (__at + 1) * __n);
}
template <typename __p, typename __t, unsigned __n>
__expand void block_load_direct_blocked(unsigned __at, __p __from, __t (&__items)[__n], unsigned __valid) {
  __collective::__load(__from, __items, __at * __n, 1, __valid);
}
template <typename __p, typename __t, unsigned __n, typename __d>
__expand void block_load_direct_blocked(unsigned __at, __p __from, __t (&__items)[__n], unsigned __valid, __d __other) {
  __collective::__fill(__items, (__t)__other);
  __collective::__load(__from, __items, __at * __n, 1, __valid);
}
template <typename __v, typename __t, unsigned __n>
__expand void block_load_direct_blocked_vectorized(unsigned __at, __v* __from, __t (&__items)[__n]) {
  __collective::__load(__from, __items, __at * __n, 1, (__at + 1) * __n);
}
template <unsigned __x, typename __p, typename __t, unsigned __n>
__expand void block_load_direct_striped(unsigned __at, __p __from, __t (&__items)[__n]) {
  __collective::__load(__from, __items, __at, __x, __x * __n);
}
template <unsigned __x, typename __p, typename __t, unsigned __n>
__expand void block_load_direct_striped(unsigned __at, __p __from, __t (&__items)[__n], unsigned __valid) {
  __collective::__load(__from, __items, __at, __x, __valid);
}
template <unsigned __x, typename __p, typename __t, unsigned __n, typename __d>
__expand void block_load_direct_striped(unsigned __at, __p __from, __t (&__items)[__n], unsigned __valid, __d __other) {
  __collective::__fill(__items, (__t)__other);
  __collective::__load(__from, __items, __at, __x, __valid);
}
template <unsigned __x = 64, typename __p, typename __t, unsigned __n>
__expand void block_load_direct_warp_striped(unsigned __at, __p __from, __t (&__items)[__n]) {
  __collective::__load(__from, __items, __at / __x * __x * __n + __at % __x, __x, (__at / __x + 1) * __x * __n);
}
template <unsigned __x = 64, typename __p, typename __t, unsigned __n>
__expand void block_load_direct_warp_striped(unsigned __at, __p __from, __t (&__items)[__n], unsigned __valid) {
  __collective::__load(__from, __items, __at / __x * __x * __n + __at % __x, __x, __valid);
}
template <unsigned __x = 64, typename __p, typename __t, unsigned __n, typename __d>
__expand void block_load_direct_warp_striped(unsigned __at, __p __from, __t (&__items)[__n], unsigned __valid, __d __other) {
  __collective::__fill(__items, (__t)__other);
  __collective::__load(__from, __items, __at / __x * __x * __n + __at % __x, __x, __valid);
}
template <typename __p, typename __t, unsigned __n>
__expand void block_store_direct_blocked(unsigned __at, __p __to, __t (&__items)[__n]) {
  __collective::__store(__to, __items, __at * __n, 1, (__at + 1) * __n);
}
template <typename __p, typename __t, unsigned __n>
__expand void block_store_direct_blocked(unsigned __at, __p __to, __t (&__items)[__n], unsigned __valid) {
  __collective::__store(__to, __items, __at * __n, 1, __valid);
}
template <typename __v, typename __t, unsigned __n>
__expand void block_store_direct_blocked_vectorized(unsigned __at, __v* __to, __t (&__items)[__n]) {
  __collective::__store(__to, __items, __at * __n, 1, (__at + 1) * __n);
}
template <unsigned __x, typename __p, typename __t, unsigned __n>
__expand void block_store_direct_striped(unsigned __at, __p __to, __t (&__items)[__n]) {
  __collective::__store(__to, __items, __at, __x, __x * __n);
}
template <unsigned __x, typename __p, typename __t, unsigned __n>
__expand void block_store_direct_striped(unsigned __at, __p __to, __t (&__items)[__n], unsigned __valid) {
  __collective::__store(__to, __items, __at, __x, __valid);
}
template <unsigned __x = 64, typename __p, typename __t, unsigned __n>
__expand void block_store_direct_warp_striped(unsigned __at, __p __to, __t (&__items)[__n]) {
  __collective::__store(__to, __items, __at / __x * __x * __n + __at % __x, __x, (__at / __x + 1) * __x * __n);
}
template <unsigned __x = 64, typename __p, typename __t, unsigned __n>
__expand void block_store_direct_warp_striped(unsigned __at, __p __to, __t (&__items)[__n], unsigned __valid) {
  __collective::__store(__to, __items, __at / __x * __x * __n + __at % __x, __x, __valid);
}

template <typename __t, unsigned __x, unsigned __n, block_load_method __m = block_load_method::default_method, unsigned __y = 1,
    unsigned __z = 1>
class block_load {
 public:
  typedef detail::empty_storage_type storage_type;
  template <typename __p, typename __i>
  __expand void load(__p __from, __i (&__items)[__n]) { load(__from, __items, __x * __y * __z * __n); }
  template <typename __p, typename __i> __expand void load(__p __from, __i (&__items)[__n], unsigned __valid) {
    if (__m == block_load_method::block_load_transpose) __syncthreads();
    if (__m == block_load_method::block_load_warp_transpose) __syncwarp();
    int __at = __collective::__rank();
    if (__m == block_load_method::block_load_striped) __collective::__load(__from, __items, __at, __x * __y * __z, __valid);
    else __collective::__load(__from, __items, __at * __n, 1, __valid);
  }
  template <typename __p, typename __i>
  __expand void load(__p __from, __i (&__items)[__n], storage_type&) { load(__from, __items); }
  template <typename __p, typename __i>
  __expand void load(__p __from, __i (&__items)[__n], unsigned __valid, storage_type&) {
    load(__from, __items, __valid);
  }
  template <typename __p, typename __d> __expand void load(__p __from, __t (&__items)[__n], unsigned __valid, __d __other) {
    __collective::__fill(__items, (__t)__other);
    load(__from, __items, __valid);
  }
  template <typename __p, typename __d>
  __expand void load(__p __from, __t (&__items)[__n], unsigned __valid, __d __other, storage_type&) {
    load(__from, __items, __valid, __other);
  }
};

template <typename __t, unsigned __n, unsigned __w = 64, warp_load_method __m = warp_load_method::default_method>
class warp_load {
 public:
  typedef detail::empty_storage_type storage_type;
  template <typename __p, typename __i> __expand void load(__p __from, __i (&__items)[__n]) { load(__from, __items, __w * __n); }
  template <typename __p, typename __i> __expand void load(__p __from, __i (&__items)[__n], unsigned __valid) {
    if (__m == warp_load_method::warp_load_transpose) __syncwarp();
    int __at = __collective::__lanes<__w>::__at();
    if (__m == warp_load_method::warp_load_striped) __collective::__load(__from, __items, __at, __w, __valid);
    else __collective::__load(__from, __items, __at * __n, 1, __valid);
  }
  template <typename __p, typename __i>
  __expand void load(__p __from, __i (&__items)[__n], storage_type&) { load(__from, __items); }
  template <typename __p, typename __i>
  __expand void load(__p __from, __i (&__items)[__n], unsigned __valid, storage_type&) {
    load(__from, __items, __valid);
  }
  template <typename __p, typename __d> __expand void load(__p __from, __t (&__items)[__n], unsigned __valid, __d __other) {
    __collective::__fill(__items, (__t)__other);
    load(__from, __items, __valid);
  }
  template <typename __p, typename __d>
  __expand void load(__p __from, __t (&__items)[__n], unsigned __valid, __d __other, storage_type&) {
    load(__from, __items, __valid, __other);
  }
};

template <typename __t, unsigned __x, unsigned __n, block_store_method __m = block_store_method::default_method,
    unsigned __y = 1, unsigned __z = 1>
class block_store {
 public:
  typedef detail::empty_storage_type storage_type;
  template <typename __p, typename __i>
  __expand void store(__p __to, __i (&__items)[__n]) { store(__to, __items, __x * __y * __z * __n); }
  template <typename __p, typename __i> __expand void store(__p __to, __i (&__items)[__n], unsigned __valid) {
    if (__m == block_store_method::block_store_transpose) __syncthreads();
    if (__m == block_store_method::block_store_warp_transpose) __syncwarp();
    int __at = __collective::__rank();
    if (__m == block_store_method::block_store_striped) __collective::__store(__to, __items, __at, __x * __y * __z, __valid);
    else __collective::__store(__to, __items, __at * __n, 1, __valid);
  }
  template <typename __p, typename __i>
  __expand void store(__p __to, __i (&__items)[__n], storage_type&) { store(__to, __items); }
  template <typename __p, typename __i>
  __expand void store(__p __to, __i (&__items)[__n], unsigned __valid, storage_type&) {
    store(__to, __items, __valid);
  }
};

template <typename __t, unsigned __n, unsigned __w = 64, warp_store_method __m = warp_store_method::default_method>
class warp_store {
 public:
  typedef detail::empty_storage_type storage_type;
  template <typename __p, typename __i> __expand void store(__p __to, __i (&__items)[__n]) { store(__to, __items, __w * __n); }
  template <typename __p, typename __i> __expand void store(__p __to, __i (&__items)[__n], unsigned __valid) {
    if (__m == warp_store_method::warp_store_transpose) __syncwarp();
    int __at = __collective::__lanes<__w>::__at();
    if (__m == warp_store_method::warp_store_striped) __collective::__store(__to, __items, __at, __w, __valid);
    else __collective::__store(__to, __items, __at * __n, 1, __valid);
  }
  template <typename __p, typename __i>
  __expand void store(__p __to, __i (&__items)[__n], storage_type&) { store(__to, __items); }
  template <typename __p, typename __i>
  __expand void store(__p __to, __i (&__items)[__n], unsigned __valid, storage_type&) {
    store(__to, __items, __valid);
  }
};

template <typename __t, unsigned __x, block_reduce_algorithm __a = block_reduce_algorithm::default_algorithm, unsigned __y = 1,
    unsigned __z = 1>
class block_reduce {
 public:
  struct storage_type {
    __t __data[__x * __y * __z];
  };
  template <typename __f = plus<__t>> __expand void reduce(__t __in, __t& __out, storage_type& __s, __f __op = __f()) {
    __collective::__reduce(__s.__data, __in, __out, __x * __y * __z, __op);
  }
  template <typename __f = plus<__t>> __expand void reduce(__t __in, __t& __out, __f __op = __f()) {
    reduce(__in, __out, __collective::__own<storage_type>(), __op);
  }
  template <unsigned __n, typename __f = plus<__t>>
  __expand void reduce(__t (&__in)[__n], __t& __out, storage_type& __s, __f __op = __f()) {
    __collective::__reduce(__s.__data, __collective::__fold(__in, __n, __op), __out, __x * __y * __z, __op);
  }
  template <unsigned __n, typename __f = plus<__t>>
  __expand void reduce(__t (&__in)[__n], __t& __out, __f __op = __f()) {
    reduce(__in, __out, __collective::__own<storage_type>(), __op);
  }
  template <typename __f = plus<__t>>
  __expand void reduce(__t __in, __t& __out, unsigned __valid, storage_type& __s, __f __op = __f()) {
    __collective::__reduce(__s.__data, __in, __out, __valid, __op);
  }
  template <typename __f = plus<__t>> __expand void reduce(__t __in, __t& __out, unsigned __valid, __f __op = __f()) {
    reduce(__in, __out, __valid, __collective::__own<storage_type>(), __op);
  }
};

template <typename __t, unsigned __x, block_scan_algorithm __a = block_scan_algorithm::default_algorithm, unsigned __y = 1,
    unsigned __z = 1>
class block_scan {
 public:
  struct storage_type {
    __t __data[__x * __y * __z];
    __t __prefix;
  };
  template <typename __f = plus<__t>> __expand void inclusive_scan(__t __in, __t& __out, storage_type& __s, __f __op = __f()) {
    __collective::__inclusive(__s.__data, __in, __out, __op);
  }
  template <typename __f = plus<__t>> __expand void inclusive_scan(__t __in, __t& __out, __f __op = __f()) {
    inclusive_scan(__in, __out, __collective::__own<storage_type>(), __op);
  }
  template <typename __f = plus<__t>>
  __expand void inclusive_scan(__t __in, __t& __out, __t& __sum, storage_type& __s, __f __op = __f()) {
    __collective::__inclusive(__s.__data, __in, __out, __op);
    __sum = __collective::__fold(__s.__data, __x * __y * __z, __op);
  }
  template <typename __f = plus<__t>> __expand void inclusive_scan(__t __in, __t& __out, __t& __sum, __f __op = __f()) {
    inclusive_scan(__in, __out, __sum, __collective::__own<storage_type>(), __op);
  }
  template <typename __g, typename __f>
  __expand void inclusive_scan(__t __in, __t& __out, storage_type& __s, __g& __prefix_of, __f __op) {
    __collective::__put(__s.__data, __in);
    __t __all = __collective::__fold(__s.__data, __x * __y * __z, __op);
    __t __start = __collective::__prefix(__s.__prefix, __all, __prefix_of);
    __out = __op(__collective::__fold_from(__start, __s.__data, __collective::__rank(), __op), __in);
  }
  template <typename __f = plus<__t>>
  __expand void exclusive_scan(__t __in, __t& __out, __t __start, storage_type& __s, __f __op = __f()) {
    __collective::__exclusive(__s.__data, __in, __out, __start, __op);
  }
  template <typename __f = plus<__t>> __expand void exclusive_scan(__t __in, __t& __out, __t __start, __f __op = __f()) {
    exclusive_scan(__in, __out, __start, __collective::__own<storage_type>(), __op);
  }
  template <typename __f = plus<__t>>
  __expand void exclusive_scan(__t __in, __t& __out, __t __start, __t& __sum, storage_type& __s, __f __op = __f()) {
    __collective::__exclusive(__s.__data, __in, __out, __start, __op);
    __sum = __collective::__fold(__s.__data, __x * __y * __z, __op);
  }
  template <typename __f = plus<__t>>
  __expand void exclusive_scan(__t __in, __t& __out, __t __start, __t& __sum, __f __op = __f()) {
    exclusive_scan(__in, __out, __start, __sum, __collective::__own<storage_type>(), __op);
  }
  template <typename __g, typename __f>
  __expand void exclusive_scan(__t __in, __t& __out, storage_type& __s, __g& __prefix_of, __f __op) {
    __collective::__put(__s.__data, __in);
    __t __all = __collective::__fold(__s.__data, __x * __y * __z, __op);
    __t __start = __collective::__prefix(__s.__prefix, __all, __prefix_of);
    __out = __collective::__fold_from(__start, __s.__data, __collective::__rank(), __op);
  }
  template <unsigned __n, typename __f = plus<__t>>
  __expand void inclusive_scan(__t (&__in)[__n], __t (&__out)[__n], storage_type& __s, __f __op = __f()) {
    __collective::__inclusive_of(__s.__data, __in, __out, __op);
  }
  template <unsigned __n, typename __f = plus<__t>>
  __expand void inclusive_scan(__t (&__in)[__n], __t (&__out)[__n], __f __op = __f()) {
    inclusive_scan(__in, __out, __collective::__own<storage_type>(), __op);
  }
  template <unsigned __n, typename __f = plus<__t>>
  __expand void inclusive_scan(__t (&__in)[__n], __t (&__out)[__n], __t& __sum, storage_type& __s, __f __op = __f()) {
    __collective::__inclusive_of(__s.__data, __in, __out, __op);
    __sum = __collective::__fold(__s.__data, __x * __y * __z, __op);
  }
  template <unsigned __n, typename __f = plus<__t>>
  __expand void inclusive_scan(__t (&__in)[__n], __t (&__out)[__n], __t& __sum, __f __op = __f()) {
    inclusive_scan(__in, __out, __sum, __collective::__own<storage_type>(), __op);
  }
  template <unsigned __n, typename __g, typename __f>
  __expand void inclusive_scan(__t (&__in)[__n], __t (&__out)[__n], storage_type& __s, __g& __prefix_of, __f __op) {
    __collective::__put(__s.__data, __collective::__fold(__in, __n, __op));
    __t __all = __collective::__fold(__s.__data, __x * __y * __z, __op);
    __t __start = __collective::__prefix(__s.__prefix, __all, __prefix_of);
    __collective::__scan(true, true, __collective::__fold_from(__start, __s.__data, __collective::__rank(), __op), __in, __out,
        __op);
  }
  template <unsigned __n, typename __f = plus<__t>>
  __expand void exclusive_scan(__t (&__in)[__n], __t (&__out)[__n], __t __start, storage_type& __s, __f __op = __f()) {
    __collective::__exclusive_of(__s.__data, __in, __out, __start, __op);
  }
  template <unsigned __n, typename __f = plus<__t>>
  __expand void exclusive_scan(__t (&__in)[__n], __t (&__out)[__n], __t __start, __f __op = __f()) {
    exclusive_scan(__in, __out, __start, __collective::__own<storage_type>(), __op);
  }
  template <unsigned __n, typename __f = plus<__t>>
  __expand void exclusive_scan(__t (&__in)[__n], __t (&__out)[__n], __t __start, __t& __sum, storage_type& __s,
      __f __op = __f()) {
    __collective::__exclusive_of(__s.__data, __in, __out, __start, __op);
    __sum = __collective::__fold(__s.__data, __x * __y * __z, __op);
  }
  template <unsigned __n, typename __f = plus<__t>>
  __expand void exclusive_scan(__t (&__in)[__n], __t (&__out)[__n], __t __start, __t& __sum, __f __op = __f()) {
    exclusive_scan(__in, __out, __start, __sum, __collective::__own<storage_type>(), __op);
  }
  template <unsigned __n, typename __g, typename __f>
  __expand void exclusive_scan(__t (&__in)[__n], __t (&__out)[__n], storage_type& __s, __g& __prefix_of, __f __op) {
    __collective::__put(__s.__data, __collective::__fold(__in, __n, __op));
    __t __all = __collective::__fold(__s.__data, __x * __y * __z, __op);
    __t __start = __collective::__prefix(__s.__prefix, __all, __prefix_of);
    __collective::__scan(false, true, __collective::__fold_from(__start, __s.__data, __collective::__rank(), __op), __in, __out,
        __op);
  }
};

template <typename __k, unsigned __x, unsigned __n, typename __v = empty_type, unsigned __y = 1, unsigned __z = 1,
    unsigned __bits = 4>
class block_radix_sort {
 public:
  struct storage_type {
    __k __keys[__x * __y * __z * __n];
    __v __values[__x * __y * __z * __n];
  };
  __expand void sort(__k (&__keys)[__n], storage_type& __s, unsigned __begin = 0, unsigned __end = 8 * sizeof(__k)) {
    __collective::__radix_order<__k> __order = {false, int(__begin), int(__end)};
    __collective::__sort_block(__s.__keys, __keys, __x * __y * __z, __x * __y * __z * __n, false, __order);
  }
  __expand void sort(__k (&__keys)[__n], unsigned __begin = 0, unsigned __end = 8 * sizeof(__k)) {
    sort(__keys, __collective::__own<storage_type>(), __begin, __end);
  }
  __expand void sort(__k (&__keys)[__n], storage_type& __s, unsigned __begin, unsigned __end, identity_decomposer) {
    sort(__keys, __s, __begin, __end);
  }
  __expand void sort(__k (&__keys)[__n], unsigned __begin, unsigned __end, identity_decomposer) {
    sort(__keys, __collective::__own<storage_type>(), __begin, __end);
  }
  __expand void sort(__k (&__keys)[__n], __v (&__values)[__n], storage_type& __s, unsigned __begin = 0,
      unsigned __end = 8 * sizeof(__k)) {
    __collective::__radix_order<__k> __order = {false, int(__begin), int(__end)};
    __collective::__sort_block(__s.__keys, __s.__values, __keys, __values, __x * __y * __z, __x * __y * __z * __n, false,
        __order);
  }
  __expand void sort(__k (&__keys)[__n], __v (&__values)[__n], unsigned __begin = 0, unsigned __end = 8 * sizeof(__k)) {
    sort(__keys, __values, __collective::__own<storage_type>(), __begin, __end);
  }
  __expand void sort(__k (&__keys)[__n], __v (&__values)[__n], storage_type& __s, unsigned __begin, unsigned __end,
      identity_decomposer) {
    sort(__keys, __values, __s, __begin, __end);
  }
  __expand void sort(__k (&__keys)[__n], __v (&__values)[__n], unsigned __begin, unsigned __end, identity_decomposer) {
    sort(__keys, __values, __collective::__own<storage_type>(), __begin, __end);
  }
  __expand void sort_desc(__k (&__keys)[__n], storage_type& __s, unsigned __begin = 0, unsigned __end = 8 * sizeof(__k)) {
    __collective::__radix_order<__k> __order = {true, int(__begin), int(__end)};
    __collective::__sort_block(__s.__keys, __keys, __x * __y * __z, __x * __y * __z * __n, false, __order);
  }
  __expand void sort_desc(__k (&__keys)[__n], unsigned __begin = 0, unsigned __end = 8 * sizeof(__k)) {
    sort_desc(__keys, __collective::__own<storage_type>(), __begin, __end);
  }
  __expand void sort_desc(__k (&__keys)[__n], storage_type& __s, unsigned __begin, unsigned __end, identity_decomposer) {
    sort_desc(__keys, __s, __begin, __end);
  }
  __expand void sort_desc(__k (&__keys)[__n], unsigned __begin, unsigned __end, identity_decomposer) {
    sort_desc(__keys, __collective::__own<storage_type>(), __begin, __end);
  }
  __expand void sort_desc(__k (&__keys)[__n], __v (&__values)[__n], storage_type& __s, unsigned __begin = 0,
      unsigned __end = 8 * sizeof(__k)) {
    __collective::__radix_order<__k> __order = {true, int(__begin), int(__end)};
    __collective::__sort_block(__s.__keys, __s.__values, __keys, __values, __x * __y * __z, __x * __y * __z * __n, false,
        __order);
  }
  __expand void sort_desc(__k (&__keys)[__n], __v (&__values)[__n], unsigned __begin = 0, unsigned __end = 8 * sizeof(__k)) {
    sort_desc(__keys, __values, __collective::__own<storage_type>(), __begin, __end);
  }
  __expand void sort_desc(__k (&__keys)[__n], __v (&__values)[__n], storage_type& __s, unsigned __begin, unsigned __end,
      identity_decomposer) {
    sort_desc(__keys, __values, __s, __begin, __end);
  }
  __expand void sort_desc(__k (&__keys)[__n], __v (&__values)[__n], unsigned __begin, unsigned __end, identity_decomposer) {
    sort_desc(__keys, __values, __collective::__own<storage_type>(), __begin, __end);
  }
  __expand void sort_to_striped(__k (&__keys)[__n], storage_type& __s, unsigned __begin = 0, unsigned __end = 8 * sizeof(__k)) {
    __collective::__radix_order<__k> __order = {false, int(__begin), int(__end)};
    __collective::__sort_block(__s.__keys, __keys, __x * __y * __z, __x * __y * __z * __n, true, __order);
  }
  __expand void sort_to_striped(__k (&__keys)[__n], unsigned __begin = 0, unsigned __end = 8 * sizeof(__k)) {
    sort_to_striped(__keys, __collective::__own<storage_type>(), __begin, __end);
  }
  __expand void sort_to_striped(__k (&__keys)[__n], storage_type& __s, unsigned __begin, unsigned __end, identity_decomposer) {
    sort_to_striped(__keys, __s, __begin, __end);
  }
  __expand void sort_to_striped(__k (&__keys)[__n], unsigned __begin, unsigned __end, identity_decomposer) {
    sort_to_striped(__keys, __collective::__own<storage_type>(), __begin, __end);
  }
  __expand void sort_to_striped(__k (&__keys)[__n], __v (&__values)[__n], storage_type& __s, unsigned __begin = 0,
      unsigned __end = 8 * sizeof(__k)) {
    __collective::__radix_order<__k> __order = {false, int(__begin), int(__end)};
    __collective::__sort_block(__s.__keys, __s.__values, __keys, __values, __x * __y * __z, __x * __y * __z * __n, true, __order);
  }
  __expand void sort_to_striped(__k (&__keys)[__n], __v (&__values)[__n], unsigned __begin = 0,
      unsigned __end = 8 * sizeof(__k)) {
    sort_to_striped(__keys, __values, __collective::__own<storage_type>(), __begin, __end);
  }
  __expand void sort_to_striped(__k (&__keys)[__n], __v (&__values)[__n], storage_type& __s, unsigned __begin, unsigned __end,
      identity_decomposer) {
    sort_to_striped(__keys, __values, __s, __begin, __end);
  }
  __expand void sort_to_striped(__k (&__keys)[__n], __v (&__values)[__n], unsigned __begin, unsigned __end, identity_decomposer) {
    sort_to_striped(__keys, __values, __collective::__own<storage_type>(), __begin, __end);
  }
  __expand void sort_desc_to_striped(__k (&__keys)[__n], storage_type& __s, unsigned __begin = 0,
      unsigned __end = 8 * sizeof(__k)) {
    __collective::__radix_order<__k> __order = {true, int(__begin), int(__end)};
    __collective::__sort_block(__s.__keys, __keys, __x * __y * __z, __x * __y * __z * __n, true, __order);
  }
  __expand void sort_desc_to_striped(__k (&__keys)[__n], unsigned __begin = 0, unsigned __end = 8 * sizeof(__k)) {
    sort_desc_to_striped(__keys, __collective::__own<storage_type>(), __begin, __end);
  }
  __expand void sort_desc_to_striped(__k (&__keys)[__n], storage_type& __s, unsigned __begin, unsigned __end,
      identity_decomposer) {
    sort_desc_to_striped(__keys, __s, __begin, __end);
  }
  __expand void sort_desc_to_striped(__k (&__keys)[__n], unsigned __begin, unsigned __end, identity_decomposer) {
    sort_desc_to_striped(__keys, __collective::__own<storage_type>(), __begin, __end);
  }
  __expand void sort_desc_to_striped(__k (&__keys)[__n], __v (&__values)[__n], storage_type& __s, unsigned __begin = 0,
      unsigned __end = 8 * sizeof(__k)) {
    __collective::__radix_order<__k> __order = {true, int(__begin), int(__end)};
    __collective::__sort_block(__s.__keys, __s.__values, __keys, __values, __x * __y * __z, __x * __y * __z * __n, true, __order);
  }
  __expand void sort_desc_to_striped(__k (&__keys)[__n], __v (&__values)[__n], unsigned __begin = 0,
      unsigned __end = 8 * sizeof(__k)) {
    sort_desc_to_striped(__keys, __values, __collective::__own<storage_type>(), __begin, __end);
  }
  __expand void sort_desc_to_striped(__k (&__keys)[__n], __v (&__values)[__n], storage_type& __s, unsigned __begin,
      unsigned __end, identity_decomposer) {
    sort_desc_to_striped(__keys, __values, __s, __begin, __end);
  }
  __expand void sort_desc_to_striped(__k (&__keys)[__n], __v (&__values)[__n], unsigned __begin, unsigned __end,
      identity_decomposer) {
    sort_desc_to_striped(__keys, __values, __collective::__own<storage_type>(), __begin, __end);
  }
};

template <typename __k, unsigned __x, unsigned __n = 1, typename __v = empty_type,
          block_sort_algorithm __a = block_sort_algorithm::default_algorithm, unsigned __y = 1, unsigned __z = 1>
class block_sort {
 public:
  struct storage_type {
    __k __keys[__x * __y * __z * __n];
    __v __values[__x * __y * __z * __n];
  };
  template <typename __f = less<__k>> __expand void sort(__k& __key, storage_type& __s, __f __before = __f()) {
    __k __keys[1] = {__key};
    __collective::__sort_block(__s.__keys, __keys, __x * __y * __z, __x * __y * __z, false, __before);
    __key = __keys[0];
  }
  template <typename __f = less<__k>> __expand void sort(__k& __key, __f __before = __f()) {
    sort(__key, __collective::__own<storage_type>(), __before);
  }
  template <typename __f = less<__k>> __expand void sort(__k& __key, storage_type& __s, unsigned __valid, __f __before = __f()) {
    __k __keys[1] = {__key};
    __collective::__sort_block(__s.__keys, __keys, __x * __y * __z, __valid, false, __before);
    __key = __keys[0];
  }
  template <typename __f = less<__k>> __expand void sort(__k (&__keys)[__n], storage_type& __s, __f __before = __f()) {
    __collective::__sort_block(__s.__keys, __keys, __x * __y * __z, __x * __y * __z * __n, false, __before);
  }
  template <typename __f = less<__k>> __expand void sort(__k (&__keys)[__n], __f __before = __f()) {
    sort(__keys, __collective::__own<storage_type>(), __before);
  }
  template <typename __f = less<__k>>
  __expand void sort(__k (&__keys)[__n], storage_type& __s, unsigned __valid, __f __before = __f()) {
    __collective::__sort_block(__s.__keys, __keys, __x * __y * __z, __valid, false, __before);
  }
  template <typename __f = less<__k>> __expand void sort(__k& __key, __v& __value, storage_type& __s, __f __before = __f()) {
    __k __keys[1] = {__key};
    __v __values[1] = {__value};
    __collective::__sort_block(__s.__keys, __s.__values, __keys, __values, __x * __y * __z, __x * __y * __z, false, __before);
    __key = __keys[0];
    __value = __values[0];
  }
  template <typename __f = less<__k>> __expand void sort(__k& __key, __v& __value, __f __before = __f()) {
    sort(__key, __value, __collective::__own<storage_type>(), __before);
  }
  template <typename __f = less<__k>>
  __expand void sort(__k& __key, __v& __value, storage_type& __s, unsigned __valid, __f __before = __f()) {
    __k __keys[1] = {__key};
    __v __values[1] = {__value};
    __collective::__sort_block(__s.__keys, __s.__values, __keys, __values, __x * __y * __z, __valid, false, __before);
    __key = __keys[0];
    __value = __values[0];
  }
  template <typename __f = less<__k>>
  __expand void sort(__k (&__keys)[__n], __v (&__values)[__n], storage_type& __s, __f __before = __f()) {
    __collective::__sort_block(__s.__keys, __s.__values, __keys, __values, __x * __y * __z, __x * __y * __z * __n, false,
        __before);
  }
  template <typename __f = less<__k>> __expand void sort(__k (&__keys)[__n], __v (&__values)[__n], __f __before = __f()) {
    sort(__keys, __values, __collective::__own<storage_type>(), __before);
  }
  template <typename __f = less<__k>>
  __expand void sort(__k (&__keys)[__n], __v (&__values)[__n], storage_type& __s, unsigned __valid, __f __before = __f()) {
    __collective::__sort_block(__s.__keys, __s.__values, __keys, __values, __x * __y * __z, __valid, false, __before);
  }
};

template <typename __k, unsigned __w = 64, typename __v = empty_type> class warp_sort {
 public:
  typedef detail::empty_storage_type storage_type;
  template <typename __f = less<__k>>
  __expand void sort(__k& __key, __f __before = __f()) {
    __k __keys[1] = {__key};
    __items<1>& __kept = detail::__of_warp<__items<1>, __w>();
    __collective::__sort_lanes<__w>(__kept.__keys, __keys, __w * 1, __before);
    __key = __keys[0];
  }
  template <typename __f = less<__k>>
  __expand void sort(__k& __key, storage_type&, __f __before = __f()) {
    sort(__key, __before);
  }
  template <unsigned __n, typename __f = less<__k>>
  __expand void sort(__k (&__keys)[__n], __f __before = __f()) {
    __items<__n>& __kept = detail::__of_warp<__items<__n>, __w>();
    __collective::__sort_lanes<__w>(__kept.__keys, __keys, __w * __n, __before);
  }
  template <unsigned __n, typename __f = less<__k>>
  __expand void sort(__k (&__keys)[__n], storage_type&, __f __before = __f()) {
    sort(__keys, __before);
  }
  template <typename __f = less<__k>>
  __expand void sort(__k& __key, __v& __value, __f __before = __f()) {
    __k __keys[1] = {__key};
    __v __values[1] = {__value};
    __items<1>& __kept = detail::__of_warp<__items<1>, __w>();
    __collective::__sort_lanes<__w>(__kept.__keys, __kept.__values, __keys, __values, __w * 1, __before);
    __key = __keys[0];
    __value = __values[0];
  }
  template <typename __f = less<__k>>
  __expand void sort(__k& __key, __v& __value, storage_type&, __f __before = __f()) {
    sort(__key, __value, __before);
  }
  template <unsigned __n, typename __f = less<__k>>
  __expand void sort(__k (&__keys)[__n], __v (&__values)[__n], __f __before = __f()) {
    __items<__n>& __kept = detail::__of_warp<__items<__n>, __w>();
    __collective::__sort_lanes<__w>(__kept.__keys, __kept.__values, __keys, __values, __w * __n, __before);
  }
  template <unsigned __n, typename __f = less<__k>>
  __expand void sort(__k (&__keys)[__n], __v (&__values)[__n], storage_type&, __f __before = __f()) {
    sort(__keys, __values, __before);
  }

 private:
  template <unsigned __n> struct __items {
    __k __keys[__w * __n];
    __v __values[__w * __n];
  };
};

template <typename __t, unsigned __x, unsigned __n, unsigned __y = 1, unsigned __z = 1>
class block_exchange {
 public:
  struct storage_type {
    __t __data[__x * __y * __z * __n];
  };
  template <typename __u> __expand void striped_to_blocked(const __t (&__in)[__n], __u (&__out)[__n], storage_type& __s) {
    int __at = __collective::__rank(), __all = __x * __y * __z;
    __collective::__exchange(__s.__data, __in, __out, __at, __all, __at * __n, 1, __all * __n);
  }
  template <typename __u> __expand void striped_to_blocked(const __t (&__in)[__n], __u (&__out)[__n]) {
    striped_to_blocked(__in, __out, __collective::__own<storage_type>());
  }
  template <typename __u> __expand void blocked_to_striped(const __t (&__in)[__n], __u (&__out)[__n], storage_type& __s) {
    int __at = __collective::__rank(), __all = __x * __y * __z;
    __collective::__exchange(__s.__data, __in, __out, __at * __n, 1, __at, __all, __all * __n);
  }
  template <typename __u> __expand void blocked_to_striped(const __t (&__in)[__n], __u (&__out)[__n]) {
    blocked_to_striped(__in, __out, __collective::__own<storage_type>());
  }
  template <typename __u> __expand void warp_striped_to_blocked(const __t (&__in)[__n], __u (&__out)[__n], storage_type& __s) {
    int __at = __collective::__rank(), __all = __x * __y * __z;
    __collective::__exchange(__s.__data, __in, __out, __collective::__in_warps(__at, __n), __collective::__warp_width(__all),
        __at * __n, 1, __all * __n);
  }
  template <typename __u> __expand void warp_striped_to_blocked(const __t (&__in)[__n], __u (&__out)[__n]) {
    warp_striped_to_blocked(__in, __out, __collective::__own<storage_type>());
  }
  template <typename __u> __expand void blocked_to_warp_striped(const __t (&__in)[__n], __u (&__out)[__n], storage_type& __s) {
    int __at = __collective::__rank(), __all = __x * __y * __z;
    __collective::__exchange(__s.__data, __in, __out, __at * __n, 1, __collective::__in_warps(__at, __n),
        __collective::__warp_width(__all), __all * __n);
  }
  template <typename __u> __expand void blocked_to_warp_striped(const __t (&__in)[__n], __u (&__out)[__n]) {
    blocked_to_warp_striped(__in, __out, __collective::__own<storage_type>());
  }
  template <typename __u, typename __r>
  __expand void scatter_to_blocked(const __t (&__in)[__n], __u (&__out)[__n], const __r (&__ranks)[__n], storage_type& __s) {
    int __at = __collective::__rank();
    __collective::__scatter(__s.__data, __in, __ranks);
    __syncthreads();
    __collective::__load(__s.__data, __out, __at * __n, 1, __x * __y * __z * __n);
  }
  template <typename __u, typename __r>
  __expand void scatter_to_blocked(const __t (&__in)[__n], __u (&__out)[__n], const __r (&__ranks)[__n]) {
    scatter_to_blocked(__in, __out, __ranks, __collective::__own<storage_type>());
  }
  template <typename __u, typename __r>
  __expand void scatter_to_striped(const __t (&__in)[__n], __u (&__out)[__n], const __r (&__ranks)[__n], storage_type& __s) {
    int __at = __collective::__rank();
    __collective::__scatter(__s.__data, __in, __ranks);
    __syncthreads();
    __collective::__load(__s.__data, __out, __at, __x * __y * __z, __x * __y * __z * __n);
  }
  template <typename __u, typename __r>
  __expand void scatter_to_striped(const __t (&__in)[__n], __u (&__out)[__n], const __r (&__ranks)[__n]) {
    scatter_to_striped(__in, __out, __ranks, __collective::__own<storage_type>());
  }
  template <typename __u, typename __r>
  __expand void scatter_to_striped_guarded(const __t (&__in)[__n], __u (&__out)[__n], const __r (&__ranks)[__n],
      storage_type& __s) {
    int __at = __collective::__rank();
    __collective::__scatter_guarded(__s.__data, __in, __ranks);
    __syncthreads();
    __collective::__load(__s.__data, __out, __at, __x * __y * __z, __x * __y * __z * __n);
  }
  template <typename __u, typename __r>
  __expand void scatter_to_striped_guarded(const __t (&__in)[__n], __u (&__out)[__n], const __r (&__ranks)[__n]) {
    scatter_to_striped_guarded(__in, __out, __ranks, __collective::__own<storage_type>());
  }
  template <typename __u, typename __r, typename __g>
  __expand void scatter_to_striped_flagged(const __t (&__in)[__n], __u (&__out)[__n], const __r (&__ranks)[__n],
      const __g (&__is)[__n], storage_type& __s) {
    int __at = __collective::__rank();
    __collective::__scatter_flagged(__s.__data, __in, __ranks, __is);
    __syncthreads();
    __collective::__load(__s.__data, __out, __at, __x * __y * __z, __x * __y * __z * __n);
  }
  template <typename __u, typename __r, typename __g>
  __expand void scatter_to_striped_flagged(const __t (&__in)[__n], __u (&__out)[__n], const __r (&__ranks)[__n],
      const __g (&__is)[__n]) {
    scatter_to_striped_flagged(__in, __out, __ranks, __is, __collective::__own<storage_type>());
  }
  template <typename __u, typename __r>
  __expand void gather_from_striped(const __t (&__in)[__n], __u (&__out)[__n], const __r (&__ranks)[__n], storage_type& __s) {
    __collective::__store(__s.__data, __in, __collective::__rank(), __x * __y * __z, __x * __y * __z * __n);
    __syncthreads();
    __collective::__gather(__s.__data, __out, __ranks);
  }
  template <typename __u, typename __r>
  __expand void gather_from_striped(const __t (&__in)[__n], __u (&__out)[__n], const __r (&__ranks)[__n]) {
    gather_from_striped(__in, __out, __ranks, __collective::__own<storage_type>());
  }
};

template <typename __t, unsigned __n, unsigned __w = 64> class warp_exchange {
 public:
  struct storage_type {
    __t __data[__w * __n];
  };
  template <typename __u> __expand void blocked_to_striped(const __t (&__in)[__n], __u (&__out)[__n], storage_type& __s) {
    __collective::__exchange_lanes<__w>(__s.__data, __in, __out, false);
  }
  template <typename __u> __expand void blocked_to_striped(const __t (&__in)[__n], __u (&__out)[__n]) {
    blocked_to_striped(__in, __out, detail::__of_warp<storage_type, __w>());
  }
  template <typename __u> __expand void blocked_to_striped_shuffle(const __t (&__in)[__n], __u (&__out)[__n]) {
    blocked_to_striped(__in, __out, detail::__of_warp<storage_type, __w>());
  }
  template <typename __u> __expand void striped_to_blocked(const __t (&__in)[__n], __u (&__out)[__n], storage_type& __s) {
    __collective::__exchange_lanes<__w>(__s.__data, __in, __out, true);
  }
  template <typename __u> __expand void striped_to_blocked(const __t (&__in)[__n], __u (&__out)[__n]) {
    striped_to_blocked(__in, __out, detail::__of_warp<storage_type, __w>());
  }
  template <typename __u> __expand void striped_to_blocked_shuffle(const __t (&__in)[__n], __u (&__out)[__n]) {
    striped_to_blocked(__in, __out, detail::__of_warp<storage_type, __w>());
  }
  template <typename __u, typename __r>
  __expand void scatter_to_striped(const __t (&__in)[__n], __u (&__out)[__n], const __r (&__ranks)[__n], storage_type& __s) {
    __collective::__scatter_lanes<__w>(__s.__data, __in, __out, __ranks);
  }
  template <typename __u, typename __r>
  __expand void scatter_to_striped(const __t (&__in)[__n], __u (&__out)[__n], const __r (&__ranks)[__n]) {
    scatter_to_striped(__in, __out, __ranks, detail::__of_warp<storage_type, __w>());
  }
};

template <typename __t, unsigned __x, unsigned __y = 1, unsigned __z = 1>
class block_discontinuity {
 public:
  typedef __collective::__ends<__t, __x * __y * __z> storage_type;
  template <unsigned __n, typename __g, typename __f>
  __expand void flag_heads(__g (&__heads)[__n], const __t (&__in)[__n], __f __op, storage_type& __s) {
    __s.__put(__in);
    __s.__heads(__heads, __in, __op, false, __in[0]);
  }
  template <unsigned __n, typename __g, typename __f>
  __expand void flag_heads(__g (&__heads)[__n], const __t (&__in)[__n], __f __op) {
    flag_heads(__heads, __in, __op, __collective::__own<storage_type>());
  }
  template <unsigned __n, typename __g, typename __f>
  __expand void flag_tails(__g (&__tails)[__n], const __t (&__in)[__n], __f __op, storage_type& __s) {
    __s.__put(__in);
    __s.__tails(__tails, __in, __op, false, __in[0]);
  }
  template <unsigned __n, typename __g, typename __f>
  __expand void flag_tails(__g (&__tails)[__n], const __t (&__in)[__n], __f __op) {
    flag_tails(__tails, __in, __op, __collective::__own<storage_type>());
  }
  template <unsigned __n, typename __g, typename __f>
  __expand void flag_heads(__g (&__heads)[__n], __t __before, const __t (&__in)[__n], __f __op, storage_type& __s) {
    __s.__put(__in);
    __s.__heads(__heads, __in, __op, true, __before);
  }
  template <unsigned __n, typename __g, typename __f>
  __expand void flag_heads(__g (&__heads)[__n], __t __before, const __t (&__in)[__n], __f __op) {
    flag_heads(__heads, __before, __in, __op, __collective::__own<storage_type>());
  }
  template <unsigned __n, typename __g, typename __f>
  __expand void flag_tails(__g (&__tails)[__n], __t __after, const __t (&__in)[__n], __f __op, storage_type& __s) {
    __s.__put(__in);
    __s.__tails(__tails, __in, __op, true, __after);
  }
  template <unsigned __n, typename __g, typename __f>
  __expand void flag_tails(__g (&__tails)[__n], __t __after, const __t (&__in)[__n], __f __op) {
    flag_tails(__tails, __after, __in, __op, __collective::__own<storage_type>());
  }
  template <unsigned __n, typename __g, typename __f>
  __expand void flag_heads_and_tails(__g (&__heads)[__n], __g (&__tails)[__n], const __t (&__in)[__n], __f __op,
      storage_type& __s) {
    __s.__put(__in);
    __s.__heads(__heads, __in, __op, false, __in[0]);
    __s.__tails(__tails, __in, __op, false, __in[0]);
  }
  template <unsigned __n, typename __g, typename __f>
  __expand void flag_heads_and_tails(__g (&__heads)[__n], __g (&__tails)[__n], const __t (&__in)[__n], __f __op) {
    flag_heads_and_tails(__heads, __tails, __in, __op, __collective::__own<storage_type>());
  }
  template <unsigned __n, typename __g, typename __f>
  __expand void flag_heads_and_tails(__g (&__heads)[__n], __g (&__tails)[__n], __t __after, const __t (&__in)[__n], __f __op,
      storage_type& __s) {
    __s.__put(__in);
    __s.__heads(__heads, __in, __op, false, __in[0]);
    __s.__tails(__tails, __in, __op, true, __after);
  }
  template <unsigned __n, typename __g, typename __f>
  __expand void flag_heads_and_tails(__g (&__heads)[__n], __g (&__tails)[__n], __t __after, const __t (&__in)[__n], __f __op) {
    flag_heads_and_tails(__heads, __tails, __after, __in, __op, __collective::__own<storage_type>());
  }
  template <unsigned __n, typename __g, typename __f>
  __expand void flag_heads_and_tails(__g (&__heads)[__n], __t __before, __g (&__tails)[__n], const __t (&__in)[__n], __f __op,
      storage_type& __s) {
    __s.__put(__in);
    __s.__heads(__heads, __in, __op, true, __before);
    __s.__tails(__tails, __in, __op, false, __in[0]);
  }
  template <unsigned __n, typename __g, typename __f>
  __expand void flag_heads_and_tails(__g (&__heads)[__n], __t __before, __g (&__tails)[__n], const __t (&__in)[__n], __f __op) {
    flag_heads_and_tails(__heads, __before, __tails, __in, __op, __collective::__own<storage_type>());
  }
  template <unsigned __n, typename __g, typename __f>
  __expand void flag_heads_and_tails(__g (&__heads)[__n], __t __before, __g (&__tails)[__n], __t __after,
      const __t (&__in)[__n], __f __op, storage_type& __s) {
    __s.__put(__in);
    __s.__heads(__heads, __in, __op, true, __before);
    __s.__tails(__tails, __in, __op, true, __after);
  }
  template <unsigned __n, typename __g, typename __f>
  __expand void flag_heads_and_tails(__g (&__heads)[__n], __t __before, __g (&__tails)[__n], __t __after,
      const __t (&__in)[__n], __f __op) {
    flag_heads_and_tails(__heads, __before, __tails, __after, __in, __op, __collective::__own<storage_type>());
  }
};

template <typename __t, unsigned __x, unsigned __y = 1, unsigned __z = 1>
class block_adjacent_difference {
 public:
  typedef __collective::__ends<__t, __x * __y * __z> storage_type;
  template <unsigned __n, typename __u, typename __f>
  __expand void subtract_left(const __t (&__in)[__n], __u (&__out)[__n], __f __op, storage_type& __s) {
    __s.__put(__in);
    __s.__left(__in, __out, __op, false, __in[0], __x * __y * __z * __n);
  }
  template <unsigned __n, typename __u, typename __f>
  __expand void subtract_left(const __t (&__in)[__n], __u (&__out)[__n], __f __op, __t __before, storage_type& __s) {
    __s.__put(__in);
    __s.__left(__in, __out, __op, true, __before, __x * __y * __z * __n);
  }
  template <unsigned __n, typename __u, typename __f>
  __expand void subtract_left_partial(const __t (&__in)[__n], __u (&__out)[__n], __f __op, unsigned __valid, storage_type& __s) {
    __s.__put(__in);
    __s.__left(__in, __out, __op, false, __in[0], __valid);
  }
  template <unsigned __n, typename __u, typename __f>
  __expand void subtract_left_partial(const __t (&__in)[__n], __u (&__out)[__n], __f __op, __t __before, unsigned __valid,
      storage_type& __s) {
    __s.__put(__in);
    __s.__left(__in, __out, __op, true, __before, __valid);
  }
  template <unsigned __n, typename __u, typename __f>
  __expand void subtract_right(const __t (&__in)[__n], __u (&__out)[__n], __f __op, storage_type& __s) {
    __s.__put(__in);
    __s.__right(__in, __out, __op, false, __in[0], __x * __y * __z * __n);
  }
  template <unsigned __n, typename __u, typename __f>
  __expand void subtract_right(const __t (&__in)[__n], __u (&__out)[__n], __f __op, __t __after, storage_type& __s) {
    __s.__put(__in);
    __s.__right(__in, __out, __op, true, __after, __x * __y * __z * __n + 1);
  }
  template <unsigned __n, typename __u, typename __f>
  __expand void subtract_right_partial(const __t (&__in)[__n], __u (&__out)[__n], __f __op, unsigned __valid, storage_type& __s) {
    __s.__put(__in);
    __s.__right(__in, __out, __op, false, __in[0], __valid);
  }
  template <unsigned __n, typename __g, typename __f>
  __expand void flag_heads(__g (&__heads)[__n], const __t (&__in)[__n], __f __op, storage_type& __s) {
    __s.__put(__in);
    __s.__heads(__heads, __in, __op, false, __in[0]);
  }
  template <unsigned __n, typename __g, typename __f>
  __expand void flag_heads(__g (&__heads)[__n], const __t (&__in)[__n], __f __op) {
    flag_heads(__heads, __in, __op, __collective::__own<storage_type>());
  }
  template <unsigned __n, typename __g, typename __f>
  __expand void flag_tails(__g (&__tails)[__n], const __t (&__in)[__n], __f __op, storage_type& __s) {
    __s.__put(__in);
    __s.__tails(__tails, __in, __op, false, __in[0]);
  }
  template <unsigned __n, typename __g, typename __f>
  __expand void flag_tails(__g (&__tails)[__n], const __t (&__in)[__n], __f __op) {
    flag_tails(__tails, __in, __op, __collective::__own<storage_type>());
  }
  template <unsigned __n, typename __g, typename __f>
  __expand void flag_heads(__g (&__heads)[__n], __t __before, const __t (&__in)[__n], __f __op, storage_type& __s) {
    __s.__put(__in);
    __s.__heads(__heads, __in, __op, true, __before);
  }
  template <unsigned __n, typename __g, typename __f>
  __expand void flag_heads(__g (&__heads)[__n], __t __before, const __t (&__in)[__n], __f __op) {
    flag_heads(__heads, __before, __in, __op, __collective::__own<storage_type>());
  }
  template <unsigned __n, typename __g, typename __f>
  __expand void flag_tails(__g (&__tails)[__n], __t __after, const __t (&__in)[__n], __f __op, storage_type& __s) {
    __s.__put(__in);
    __s.__tails(__tails, __in, __op, true, __after);
  }
  template <unsigned __n, typename __g, typename __f>
  __expand void flag_tails(__g (&__tails)[__n], __t __after, const __t (&__in)[__n], __f __op) {
    flag_tails(__tails, __after, __in, __op, __collective::__own<storage_type>());
  }
  template <unsigned __n, typename __g, typename __f>
  __expand void flag_heads_and_tails(__g (&__heads)[__n], __g (&__tails)[__n], const __t (&__in)[__n], __f __op,
      storage_type& __s) {
    __s.__put(__in);
    __s.__heads(__heads, __in, __op, false, __in[0]);
    __s.__tails(__tails, __in, __op, false, __in[0]);
  }
  template <unsigned __n, typename __g, typename __f>
  __expand void flag_heads_and_tails(__g (&__heads)[__n], __g (&__tails)[__n], const __t (&__in)[__n], __f __op) {
    flag_heads_and_tails(__heads, __tails, __in, __op, __collective::__own<storage_type>());
  }
  template <unsigned __n, typename __g, typename __f>
  __expand void flag_heads_and_tails(__g (&__heads)[__n], __g (&__tails)[__n], __t __after, const __t (&__in)[__n], __f __op,
      storage_type& __s) {
    __s.__put(__in);
    __s.__heads(__heads, __in, __op, false, __in[0]);
    __s.__tails(__tails, __in, __op, true, __after);
  }
  template <unsigned __n, typename __g, typename __f>
  __expand void flag_heads_and_tails(__g (&__heads)[__n], __g (&__tails)[__n], __t __after, const __t (&__in)[__n], __f __op) {
    flag_heads_and_tails(__heads, __tails, __after, __in, __op, __collective::__own<storage_type>());
  }
  template <unsigned __n, typename __g, typename __f>
  __expand void flag_heads_and_tails(__g (&__heads)[__n], __t __before, __g (&__tails)[__n], const __t (&__in)[__n], __f __op,
      storage_type& __s) {
    __s.__put(__in);
    __s.__heads(__heads, __in, __op, true, __before);
    __s.__tails(__tails, __in, __op, false, __in[0]);
  }
  template <unsigned __n, typename __g, typename __f>
  __expand void flag_heads_and_tails(__g (&__heads)[__n], __t __before, __g (&__tails)[__n], const __t (&__in)[__n], __f __op) {
    flag_heads_and_tails(__heads, __before, __tails, __in, __op, __collective::__own<storage_type>());
  }
  template <unsigned __n, typename __g, typename __f>
  __expand void flag_heads_and_tails(__g (&__heads)[__n], __t __before, __g (&__tails)[__n], __t __after,
      const __t (&__in)[__n], __f __op, storage_type& __s) {
    __s.__put(__in);
    __s.__heads(__heads, __in, __op, true, __before);
    __s.__tails(__tails, __in, __op, true, __after);
  }
  template <unsigned __n, typename __g, typename __f>
  __expand void flag_heads_and_tails(__g (&__heads)[__n], __t __before, __g (&__tails)[__n], __t __after,
      const __t (&__in)[__n], __f __op) {
    flag_heads_and_tails(__heads, __before, __tails, __after, __in, __op, __collective::__own<storage_type>());
  }
};

template <typename __t, unsigned __x, unsigned __y = 1, unsigned __z = 1>
class block_shuffle {
 public:
  typedef __collective::__ends<__t, __x * __y * __z> storage_type;
  __expand void offset(__t __in, __t& __out, int __by = 1) { __collective::__own<storage_type>().__offset(__in, __out, __by); }
  __expand void offset(const size_t& __at, __t __in, __t& __out, int __by) { offset(__in, __out, __by); }
  __expand void offset(const size_t& __at, __t __in, __t& __out, int __by, storage_type& __s) {
    __s.__offset(__in, __out, __by);
  }
  __expand void rotate(__t __in, __t& __out, int __by = 1) { __collective::__own<storage_type>().__rotate(__in, __out, __by); }
  __expand void rotate(const size_t& __at, __t __in, __t& __out, int __by) { rotate(__in, __out, __by); }
  __expand void rotate(const size_t& __at, __t __in, __t& __out, int __by, storage_type& __s) {
    __s.__rotate(__in, __out, __by);
  }
  template <unsigned __n>
  __expand void up(const size_t& __at, __t (&__in)[__n], __t (&__out)[__n], storage_type& __s) {
    __s.__put(__in);
    __s.__up(__in, __out);
  }
  template <unsigned __n> __expand void up(const size_t& __at, __t (&__in)[__n], __t (&__out)[__n]) {
    up(__at, __in, __out, __collective::__own<storage_type>());
  }
  template <unsigned __n> __expand void up(__t (&__in)[__n], __t (&__out)[__n]) {
    up(0, __in, __out, __collective::__own<storage_type>());
  }
  template <unsigned __n>
  __expand void up(const size_t& __at, __t (&__in)[__n], __t (&__out)[__n], __t& __last, storage_type& __s) {
    __s.__put(__in);
    __s.__up(__in, __out);
    __last = __s.__lasts[__x * __y * __z - 1];
  }
  template <unsigned __n> __expand void up(const size_t& __at, __t (&__in)[__n], __t (&__out)[__n], __t& __last) {
    up(__at, __in, __out, __last, __collective::__own<storage_type>());
  }
  template <unsigned __n> __expand void up(__t (&__in)[__n], __t (&__out)[__n], __t& __last) {
    up(0, __in, __out, __last, __collective::__own<storage_type>());
  }
  template <unsigned __n>
  __expand void down(const size_t& __at, __t (&__in)[__n], __t (&__out)[__n], storage_type& __s) {
    __s.__put(__in);
    __s.__down(__in, __out);
  }
  template <unsigned __n> __expand void down(const size_t& __at, __t (&__in)[__n], __t (&__out)[__n]) {
    down(__at, __in, __out, __collective::__own<storage_type>());
  }
  template <unsigned __n> __expand void down(__t (&__in)[__n], __t (&__out)[__n]) {
    down(0, __in, __out, __collective::__own<storage_type>());
  }
  template <unsigned __n>
  __expand void down(const size_t& __at, __t (&__in)[__n], __t (&__out)[__n], __t& __first, storage_type& __s) {
    __s.__put(__in);
    __s.__down(__in, __out);
    __first = __s.__firsts[0];
  }
  template <unsigned __n> __expand void down(const size_t& __at, __t (&__in)[__n], __t (&__out)[__n], __t& __first) {
    down(__at, __in, __out, __first, __collective::__own<storage_type>());
  }
  template <unsigned __n> __expand void down(__t (&__in)[__n], __t (&__out)[__n], __t& __first) {
    down(0, __in, __out, __first, __collective::__own<storage_type>());
  }
};

template <typename __t, unsigned __x, unsigned __n, unsigned __bins,
          block_histogram_algorithm __a = block_histogram_algorithm::default_algorithm, unsigned __y = 1, unsigned __z = 1>
class block_histogram {
 public:
  struct storage_type {
    __t __data[__a == block_histogram_algorithm::using_sort ? __x * __y * __z * __n : 1];
  };
  template <typename __c> __expand void init_histogram(__c* __counts) {
    __collective::__clear(__counts, __bins, __x * __y * __z);
  }
  template <typename __c> __expand void composite(__t (&__items)[__n], __c* __counts, storage_type& __s) {
    __collective::__count<__a == block_histogram_algorithm::using_sort>(__s.__data, __items, __counts, __bins, __x * __y * __z);
  }
  template <typename __c> __expand void composite(__t (&__items)[__n], __c* __counts) {
    composite(__items, __counts, __collective::__own<storage_type>());
  }
  template <typename __c> __expand void histogram(__t (&__items)[__n], __c* __counts, storage_type& __s) {
    init_histogram(__counts);
    __syncthreads();
    composite(__items, __counts, __s);
  }
  template <typename __c> __expand void histogram(__t (&__items)[__n], __c* __counts) {
    histogram(__items, __counts, __collective::__own<storage_type>());
  }
};

template <typename __t, unsigned __x, int __runs, int __n, typename __r = unsigned, unsigned __y = 1, unsigned __z = 1>
class block_run_length_decode {
 public:
  typedef __collective::__runs_of<__t, __r, __x * __y * __z, __runs> storage_type;
  template <typename __l, typename __m>
  __expand block_run_length_decode(storage_type& __temp, __t (&__values)[__runs], __l (&__lengths)[__runs], __m& __sum)
      : __s(__temp) {
    __sum = __s.__put_lengths(__values, __lengths);
  }
  template <typename __o>
  __expand block_run_length_decode(storage_type& __temp, __t (&__values)[__runs], __o (&__begins)[__runs]) : __s(__temp) {
    __s.__put(__values, __begins);
  }
  template <typename __l, typename __m>
  __expand block_run_length_decode(__t (&__values)[__runs], __l (&__lengths)[__runs], __m& __sum)
      : __s(__collective::__own<storage_type>()) {
    __sum = __s.__put_lengths(__values, __lengths);
  }
  template <typename __o>
  __expand block_run_length_decode(__t (&__values)[__runs], __o (&__begins)[__runs])
      : __s(__collective::__own<storage_type>()) {
    __s.__put(__values, __begins);
  }
  template <typename __o>
  __expand void run_length_decode(__t (&__items)[__n], __o (&__within)[__n], __r __from = 0) {
    __s.__get(__items, __within, __from);
  }
  __expand void run_length_decode(__t (&__items)[__n], __r __from = 0) { __s.__get(__items, __from); }

 private:
  storage_type& __s;
};

template <unsigned __x, unsigned __bits, block_radix_rank_algorithm __a = block_radix_rank_algorithm::default_algorithm,
    unsigned __y = 1, unsigned __z = 1>
class block_radix_rank {
 public:
  typedef __collective::__digits<__x * __y * __z, 1 << __bits> storage_type;
  static constexpr unsigned digits_per_thread = ((1 << __bits) + __x * __y * __z - 1) / (__x * __y * __z);
  template <typename __k, unsigned __n>
  __expand void rank_keys(const __k (&__keys)[__n], unsigned (&__ranks)[__n], storage_type& __s, unsigned __begin = 0,
      unsigned __width = __bits) {
    __collective::__digit_of __digit = {__begin, __width};
    __s.__rank(__keys, __ranks, __digit, false);
  }
  template <typename __k, unsigned __n>
  __expand void rank_keys(const __k (&__keys)[__n], unsigned (&__ranks)[__n], unsigned __begin = 0, unsigned __width = __bits) {
    rank_keys(__keys, __ranks, __collective::__own<storage_type>(), __begin, __width);
  }
  template <typename __k, unsigned __n, typename __f>
  __expand void rank_keys(const __k (&__keys)[__n], unsigned (&__ranks)[__n], storage_type& __s, __f __digit) {
    __s.__rank(__keys, __ranks, __digit, false);
  }
  template <typename __k, unsigned __n, typename __f>
  __expand void rank_keys(const __k (&__keys)[__n], unsigned (&__ranks)[__n], __f __digit) {
    rank_keys(__keys, __ranks, __collective::__own<storage_type>(), __digit);
  }
  template <typename __k, unsigned __n, typename __f>
  __expand void rank_keys(const __k (&__keys)[__n], unsigned (&__ranks)[__n], storage_type& __s, __f __digit,
      unsigned (&__before)[digits_per_thread], unsigned (&__counts)[digits_per_thread]) {
    __s.__rank(__keys, __ranks, __digit, false);
    __s.__sums(__before, __counts, false);
  }
  template <typename __k, unsigned __n>
  __expand void rank_keys_desc(const __k (&__keys)[__n], unsigned (&__ranks)[__n], storage_type& __s, unsigned __begin = 0,
      unsigned __width = __bits) {
    __collective::__digit_of __digit = {__begin, __width};
    __s.__rank(__keys, __ranks, __digit, true);
  }
  template <typename __k, unsigned __n>
  __expand void rank_keys_desc(const __k (&__keys)[__n], unsigned (&__ranks)[__n], unsigned __begin = 0,
      unsigned __width = __bits) {
    rank_keys_desc(__keys, __ranks, __collective::__own<storage_type>(), __begin, __width);
  }
  template <typename __k, unsigned __n, typename __f>
  __expand void rank_keys_desc(const __k (&__keys)[__n], unsigned (&__ranks)[__n], storage_type& __s, __f __digit) {
    __s.__rank(__keys, __ranks, __digit, true);
  }
  template <typename __k, unsigned __n, typename __f>
  __expand void rank_keys_desc(const __k (&__keys)[__n], unsigned (&__ranks)[__n], __f __digit) {
    rank_keys_desc(__keys, __ranks, __collective::__own<storage_type>(), __digit);
  }
  template <typename __k, unsigned __n, typename __f>
  __expand void rank_keys_desc(const __k (&__keys)[__n], unsigned (&__ranks)[__n], storage_type& __s, __f __digit,
      unsigned (&__before)[digits_per_thread], unsigned (&__counts)[digits_per_thread]) {
    __s.__rank(__keys, __ranks, __digit, true);
    __s.__sums(__before, __counts, true);
  }
};

template <typename __t, unsigned __w = 64, bool __for_all = false> class warp_reduce {
 public:
  typedef detail::empty_storage_type storage_type;
  template <typename __f = plus<__t>> __expand void reduce(__t __in, __t& __out, storage_type& __s, __f __op = __f()) {
    __out = __collective::__reduce_lanes<__w>(__in, __op, __w);
    if (__for_all) __out = __collective::__value_of<__w>(__out, 0);
  }
  template <typename __f = plus<__t>>
  __expand void reduce(__t __in, __t& __out, int __valid, storage_type& __s, __f __op = __f()) {
    __out = __collective::__reduce_lanes<__w>(__in, __op, __valid);
    if (__for_all) __out = __collective::__value_of<__w>(__out, 0);
  }
  template <typename __g, typename __f = plus<__t>>
  __expand void head_segmented_reduce(__t __in, __t& __out, __g __is, storage_type& __s, __f __op = __f()) {
    __out = __collective::__reduce_lanes<__w>(__in, __op, __collective::__end_of_segment<__w>(__is, true));
  }
  template <typename __g, typename __f = plus<__t>>
  __expand void tail_segmented_reduce(__t __in, __t& __out, __g __is, storage_type& __s, __f __op = __f()) {
    __out = __collective::__reduce_lanes<__w>(__in, __op, __collective::__end_of_segment<__w>(__is, false));
  }
};

template <typename __t, unsigned __w = 64> class warp_scan {
 public:
  typedef detail::empty_storage_type storage_type;
  template <typename __f = plus<__t>> __expand void inclusive_scan(__t __in, __t& __out, storage_type& __s, __f __op = __f()) {
    __out = __collective::__scan_lanes<__w>(__in, __op);
  }
  template <typename __f = plus<__t>>
  __expand void inclusive_scan(__t __in, __t& __out, __t& __sum, storage_type& __s, __f __op = __f()) {
    __t __v = __collective::__scan_lanes<__w>(__in, __op);
    __out = __v;
    __sum = __collective::__value_of<__w>(__v, __w - 1);
  }
  template <typename __f = plus<__t>>
  __expand void exclusive_scan(__t __in, __t& __out, __t __start, storage_type& __s, __f __op = __f()) {
    __t __v = __collective::__scan_lanes<__w>(__in, __op);
    __t __u = __collective::__value_before<__w>(__v);
    __out = __collective::__lanes<__w>::__at() == 0 ? __start : __op(__start, __u);
  }
  template <typename __f = plus<__t>>
  __expand void exclusive_scan(__t __in, __t& __out, __t __start, __t& __sum, storage_type& __s, __f __op = __f()) {
    __t __v = __collective::__scan_lanes<__w>(__in, __op);
    __t __u = __collective::__value_before<__w>(__v);
    __out = __collective::__lanes<__w>::__at() == 0 ? __start : __op(__start, __u);
    __sum = __collective::__value_of<__w>(__v, __w - 1);
  }
  template <typename __f = plus<__t>> __expand void exclusive_scan(__t __in, __t& __out, storage_type& __s, __f __op = __f()) {
    __t __v = __collective::__scan_lanes<__w>(__in, __op);
    __out = __collective::__value_before<__w>(__v);
  }
  template <typename __f = plus<__t>>
  __expand void exclusive_scan(__t __in, __t& __out, storage_type& __s, __t& __sum, __f __op = __f()) {
    __t __v = __collective::__scan_lanes<__w>(__in, __op);
    __out = __collective::__value_before<__w>(__v);
    __sum = __collective::__value_of<__w>(__v, __w - 1);
  }
  template <typename __f = plus<__t>>
  __expand void scan(__t __in, __t& __upto, __t& __out, __t __start, storage_type& __s, __f __op = __f()) {
    __t __v = __collective::__scan_lanes<__w>(__in, __op);
    __t __u = __collective::__value_before<__w>(__v);
    __upto = __v;
    __out = __collective::__lanes<__w>::__at() == 0 ? __start : __op(__start, __u);
  }
  template <typename __f = plus<__t>>
  __expand void scan(__t __in, __t& __upto, __t& __out, __t __start, __t& __sum, storage_type& __s, __f __op = __f()) {
    __t __v = __collective::__scan_lanes<__w>(__in, __op);
    __t __u = __collective::__value_before<__w>(__v);
    __upto = __v;
    __out = __collective::__lanes<__w>::__at() == 0 ? __start : __op(__start, __u);
    __sum = __collective::__value_of<__w>(__v, __w - 1);
  }
  __expand __t broadcast(__t __in, unsigned __from, storage_type&) { return __collective::__value_of<__w>(__in, __from); }
  __expand void to_exclusive(__t __in, __t& __out, storage_type&) { __out = __collective::__value_before<__w>(__in); }
};

}  // namespace rocprim
