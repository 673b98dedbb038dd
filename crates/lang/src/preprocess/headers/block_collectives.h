// What the threads of a block or warp compute together in CUB and hipCUB; `__cub_name` is the namespace.
#pragma once

#include <limits>
#include <reconverge/collective_parts.h>

namespace __cub_name {

struct NullType {};
struct Sum {
  template <typename __t> __expand __t operator()(const __t& __a, const __t& __b) const { return __a + __b; }
};
struct Difference {
  template <typename __t> __expand __t operator()(const __t& __a, const __t& __b) const { return __a - __b; }
};
struct Max {
  template <typename __t> __expand __t operator()(const __t& __a, const __t& __b) const { return __a < __b ? __b : __a; }
};
struct Min {
  template <typename __t> __expand __t operator()(const __t& __a, const __t& __b) const { return __b < __a ? __b : __a; }
};
struct Equality {
  template <typename __t> __expand bool operator()(const __t& __a, const __t& __b) const { return __a == __b; }
};
struct Inequality {
  template <typename __t> __expand bool operator()(const __t& __a, const __t& __b) const { return !(__a == __b); }
};
template <typename __k, typename __v> struct KeyValuePair {
  typedef __k Key;
  typedef __v Value;
  __k key;
  __v value;
};
struct ArgMax {
  template <typename __t> __expand __t operator()(const __t& __a, const __t& __b) const {
    return __b.value > __a.value || __a.value == __b.value && __b.key < __a.key ? __b : __a;
  }
};
struct ArgMin {
  template <typename __t> __expand __t operator()(const __t& __a, const __t& __b) const {
    return __b.value < __a.value || __a.value == __b.value && __b.key < __a.key ? __b : __a;
  }
};

template <int __n> struct Int2Type {
  enum { VALUE = __n };
};

enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};
enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };
enum WarpLoadAlgorithm { WARP_LOAD_DIRECT, WARP_LOAD_STRIPED, WARP_LOAD_VECTORIZE, WARP_LOAD_TRANSPOSE };
enum WarpStoreAlgorithm { WARP_STORE_DIRECT, WARP_STORE_STRIPED, WARP_STORE_VECTORIZE, WARP_STORE_TRANSPOSE };
enum WarpExchangeAlgorithm { WARP_EXCHANGE_SMEM, WARP_EXCHANGE_SHUFFLE };
enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };

// What radix sorts know of a type.
enum Category { NOT_A_NUMBER, SIGNED_INTEGER, UNSIGNED_INTEGER, FLOATING_POINT };
template <typename __t> struct Traits {
  static const Category CATEGORY = NOT_A_NUMBER;
  enum { PRIMITIVE = false, NULL_TYPE = false };
};
template <> struct Traits<NullType> {
  static const Category CATEGORY = NOT_A_NUMBER;
  enum { PRIMITIVE = false, NULL_TYPE = true };
};
#define __cub_traits(__t, __b, __c, __in, __out)                         \
  template <> struct Traits<__t> {                                       \
    typedef __b UnsignedBits;                                            \
    static const Category CATEGORY = __c;                                \
    enum { PRIMITIVE = true, NULL_TYPE = false };                        \
    static constexpr UnsignedBits __high = __b(1) << 8 * sizeof(__b) - 1; \
    __expand static UnsignedBits TwiddleIn(UnsignedBits __k) { return __in; } \
    __expand static UnsignedBits TwiddleOut(UnsignedBits __k) { return __out; } \
    __expand static __t Lowest() { return std::numeric_limits<__t>::lowest(); } \
    __expand static __t Max() { return std::numeric_limits<__t>::max(); } \
  };
#define __cub_unsigned(__t) __cub_traits(__t, __t, UNSIGNED_INTEGER, __k, __k)
#define __cub_signed(__t, __b) __cub_traits(__t, __b, SIGNED_INTEGER, __k ^ __high, __k ^ __high)
#define __cub_floating(__t, __b) \
  __cub_traits(__t, __b, FLOATING_POINT, __k & __high ? ~__k : __k ^ __high, __k & __high ? __k ^ __high : ~__k)
__cub_unsigned(bool) __cub_unsigned(unsigned char) __cub_unsigned(unsigned short) __cub_unsigned(unsigned)
__cub_unsigned(unsigned long) __cub_unsigned(unsigned long long)
__cub_signed(char, unsigned char) __cub_signed(signed char, unsigned char) __cub_signed(short, unsigned short)
__cub_signed(int, unsigned) __cub_signed(long, unsigned long) __cub_signed(long long, unsigned long long)
__cub_floating(float, unsigned) __cub_floating(double, unsigned long long)
#undef __cub_traits
#undef __cub_unsigned
#undef __cub_signed
#undef __cub_floating
template <typename __t> struct NumericTraits : Traits<__t> {};

__expand int RowMajorTid(int, int, int) { return __collective::__rank(); }
__expand unsigned LaneId() { return __lane_id(); }
__expand unsigned WarpId() { return __collective::__rank() / __warp_lanes; }
template <CacheLoadModifier __m, typename __t> __expand __t ThreadLoad(__t* __from) { return *__from; }
template <CacheStoreModifier __m, typename __t, typename __v> __expand void ThreadStore(__t* __to, __v __value) {
  *__to = __value;
}

template <typename __t, int __x, BlockReduceAlgorithm __a = BLOCK_REDUCE_WARP_REDUCTIONS, int __y = 1, int __z = 1,
    int __arch = 0>
class BlockReduce {
 public:
  struct TempStorage {
    __t __data[__x * __y * __z];
  };
  __expand BlockReduce() : __storage(__collective::__own<TempStorage>()) {}
  __expand BlockReduce(TempStorage& __temp) : __storage(__temp) {}
  template <typename __f> __expand __t Reduce(__t __v, __f __op) { return Reduce(__v, __op, __x * __y * __z); }
  template <typename __f> __expand __t Reduce(__t __v, __f __op, int __valid) {
    __t __made;
    __collective::__reduce(__storage.__data, __v, __made, __valid, __op);
    return __made;
  }
  template <int __n, typename __f> __expand __t Reduce(__t (&__items)[__n], __f __op) {
    return Reduce(__collective::__fold(__items, __n, __op), __op);
  }
  __expand __t Sum(__t __v) { return Reduce(__v, __cub_name::Sum()); }
  __expand __t Sum(__t __v, int __valid) { return Reduce(__v, __cub_name::Sum(), __valid); }
  template <int __n> __expand __t Sum(__t (&__items)[__n]) { return Reduce(__items, __cub_name::Sum()); }

 private:
  TempStorage& __storage;
};

template <typename __t, int __x, BlockScanAlgorithm __a = BLOCK_SCAN_RAKING, int __y = 1, int __z = 1, int __arch = 0>
class BlockScan {
 public:
  struct TempStorage {
    __t __data[__x * __y * __z];
    __t __prefix;
  };
  __expand BlockScan() : __storage(__collective::__own<TempStorage>()) {}
  __expand BlockScan(TempStorage& __temp) : __storage(__temp) {}

  template <typename __f> __expand void InclusiveScan(__t __in, __t& __out, __f __op) {
    __collective::__inclusive(__storage.__data, __in, __out, __op);
  }
  template <typename __f> __expand void InclusiveScan(__t __in, __t& __out, __f __op, __t& __sum) {
    InclusiveScan(__in, __out, __op);
    __sum = __all(__op);
  }
  template <typename __f, typename __g> __expand void InclusiveScan(__t __in, __t& __out, __f __op, __g& __prefix_of) {
    InclusiveScan(__in, __out, __op);
    __t __start = __collective::__prefix(__storage.__prefix, __all(__op), __prefix_of);
    __out = __op(__start, __out);
  }
  template <typename __f> __expand void ExclusiveScan(__t __in, __t& __out, __t __start, __f __op) {
    __collective::__exclusive(__storage.__data, __in, __out, __start, __op);
  }
  template <typename __f> __expand void ExclusiveScan(__t __in, __t& __out, __t __start, __f __op, __t& __sum) {
    ExclusiveScan(__in, __out, __start, __op);
    __sum = __all(__op);
  }
  template <typename __f> __expand void ExclusiveScan(__t __in, __t& __out, __f __op) {
    __collective::__exclusive(__storage.__data, __in, __out, __op);
  }
  template <typename __f> __expand void ExclusiveScan(__t __in, __t& __out, __f __op, __t& __sum) {
    ExclusiveScan(__in, __out, __op);
    __sum = __all(__op);
  }
  template <typename __f, typename __g> __expand void ExclusiveScan(__t __in, __t& __out, __f __op, __g& __prefix_of) {
    __collective::__put(__storage.__data, __in);
    __t __start = __collective::__prefix(__storage.__prefix, __all(__op), __prefix_of);
    __out = __collective::__fold_from(__start, __storage.__data, __collective::__rank(), __op);
  }
  __expand void InclusiveSum(__t __in, __t& __out) { InclusiveScan(__in, __out, __cub_name::Sum()); }
  __expand void InclusiveSum(__t __in, __t& __out, __t& __sum) { InclusiveScan(__in, __out, __cub_name::Sum(), __sum); }
  template <typename __g> __expand void InclusiveSum(__t __in, __t& __out, __g& __prefix_of) {
    InclusiveScan(__in, __out, __cub_name::Sum(), __prefix_of);
  }
  __expand void ExclusiveSum(__t __in, __t& __out) { ExclusiveScan(__in, __out, __t(), __cub_name::Sum()); }
  __expand void ExclusiveSum(__t __in, __t& __out, __t& __sum) {
    ExclusiveScan(__in, __out, __t(), __cub_name::Sum(), __sum);
  }
  template <typename __g> __expand void ExclusiveSum(__t __in, __t& __out, __g& __prefix_of) {
    ExclusiveScan(__in, __out, __cub_name::Sum(), __prefix_of);
  }

  template <int __n, typename __f> __expand void InclusiveScan(__t (&__in)[__n], __t (&__out)[__n], __f __op) {
    __collective::__inclusive_of(__storage.__data, __in, __out, __op);
  }
  template <int __n, typename __f>
  __expand void InclusiveScan(__t (&__in)[__n], __t (&__out)[__n], __f __op, __t& __sum) {
    InclusiveScan(__in, __out, __op);
    __sum = __all(__op);
  }
  template <int __n, typename __f, typename __g>
  __expand void InclusiveScan(__t (&__in)[__n], __t (&__out)[__n], __f __op, __g& __prefix_of) {
    __collective::__put(__storage.__data, __collective::__fold(__in, __n, __op));
    __collective::__scan(true, true, __before(__op, __prefix_of), __in, __out, __op);
  }
  template <int __n, typename __f>
  __expand void ExclusiveScan(__t (&__in)[__n], __t (&__out)[__n], __t __start, __f __op) {
    __collective::__exclusive_of(__storage.__data, __in, __out, __start, __op);
  }
  template <int __n, typename __f>
  __expand void ExclusiveScan(__t (&__in)[__n], __t (&__out)[__n], __t __start, __f __op, __t& __sum) {
    ExclusiveScan(__in, __out, __start, __op);
    __sum = __all(__op);
  }
  template <int __n, typename __f> __expand void ExclusiveScan(__t (&__in)[__n], __t (&__out)[__n], __f __op) {
    __collective::__exclusive_of(__storage.__data, __in, __out, __op);
  }
  template <int __n, typename __f>
  __expand void ExclusiveScan(__t (&__in)[__n], __t (&__out)[__n], __f __op, __t& __sum) {
    ExclusiveScan(__in, __out, __op);
    __sum = __all(__op);
  }
  template <int __n, typename __f, typename __g>
  __expand void ExclusiveScan(__t (&__in)[__n], __t (&__out)[__n], __f __op, __g& __prefix_of) {
    __collective::__put(__storage.__data, __collective::__fold(__in, __n, __op));
    __collective::__scan(false, true, __before(__op, __prefix_of), __in, __out, __op);
  }
  template <int __n> __expand void InclusiveSum(__t (&__in)[__n], __t (&__out)[__n]) {
    InclusiveScan(__in, __out, __cub_name::Sum());
  }
  template <int __n> __expand void InclusiveSum(__t (&__in)[__n], __t (&__out)[__n], __t& __sum) {
    InclusiveScan(__in, __out, __cub_name::Sum(), __sum);
  }
  template <int __n, typename __g> __expand void InclusiveSum(__t (&__in)[__n], __t (&__out)[__n], __g& __prefix_of) {
    InclusiveScan(__in, __out, __cub_name::Sum(), __prefix_of);
  }
  template <int __n> __expand void ExclusiveSum(__t (&__in)[__n], __t (&__out)[__n]) {
    ExclusiveScan(__in, __out, __t(), __cub_name::Sum());
  }
  template <int __n> __expand void ExclusiveSum(__t (&__in)[__n], __t (&__out)[__n], __t& __sum) {
    ExclusiveScan(__in, __out, __t(), __cub_name::Sum(), __sum);
  }
  template <int __n, typename __g> __expand void ExclusiveSum(__t (&__in)[__n], __t (&__out)[__n], __g& __prefix_of) {
    ExclusiveScan(__in, __out, __cub_name::Sum(), __prefix_of);
  }

 private:
  template <typename __f> __expand __t __all(__f __op) {
    return __collective::__fold(__storage.__data, __x * __y * __z, __op);
  }
  // What comes before the thread, with what comes before the block.
  template <typename __f, typename __g> __expand __t __before(__f __op, __g& __prefix_of) {
    __t __start = __collective::__prefix(__storage.__prefix, __all(__op), __prefix_of);
    return __collective::__fold_from(__start, __storage.__data, __collective::__rank(), __op);
  }
  TempStorage& __storage;
};

template <typename __t, int __x, int __n, BlockLoadAlgorithm __a = BLOCK_LOAD_DIRECT, int __y = 1, int __z = 1, int __arch = 0>
class BlockLoad {
 public:
  struct TempStorage {
    char __unused;
  };
  __expand BlockLoad() {}
  __expand BlockLoad(TempStorage&) {}
  template <typename __p> __expand void Load(__p __from, __t (&__items)[__n]) {
    Load(__from, __items, __x * __y * __z * __n);
  }
  template <typename __p> __expand void Load(__p __from, __t (&__items)[__n], int __valid) {
    if (__a >= BLOCK_LOAD_TRANSPOSE) __syncthreads();
    int __at = __collective::__rank();
    if (__a == BLOCK_LOAD_STRIPED) __collective::__load(__from, __items, __at, __x * __y * __z, __valid);
    else __collective::__load(__from, __items, __at * __n, 1, __valid);
  }
  template <typename __p, typename __d> __expand void Load(__p __from, __t (&__items)[__n], int __valid, __d __other) {
    __collective::__fill(__items, (__t)__other);
    Load(__from, __items, __valid);
  }
};

template <typename __t, int __x, int __n, BlockStoreAlgorithm __a = BLOCK_STORE_DIRECT, int __y = 1, int __z = 1, int __arch = 0>
class BlockStore {
 public:
  struct TempStorage {
    char __unused;
  };
  __expand BlockStore() {}
  __expand BlockStore(TempStorage&) {}
  template <typename __p> __expand void Store(__p __to, __t (&__items)[__n]) {
    Store(__to, __items, __x * __y * __z * __n);
  }
  template <typename __p> __expand void Store(__p __to, __t (&__items)[__n], int __valid) {
    if (__a >= BLOCK_STORE_TRANSPOSE) __syncthreads();
    int __at = __collective::__rank();
    if (__a == BLOCK_STORE_STRIPED) __collective::__store(__to, __items, __at, __x * __y * __z, __valid);
    else __collective::__store(__to, __items, __at * __n, 1, __valid);
  }
};

template <typename __t, int __n, typename __p>
__expand void LoadDirectBlocked(int __at, __p __from, __t (&__items)[__n]) {
  __collective::__load(__from, __items, __at * __n, 1, (__at + 1) * __n);
}
template <typename __t, int __n, typename __p>
__expand void LoadDirectBlocked(int __at, __p __from, __t (&__items)[__n], int __valid) {
  __collective::__load(__from, __items, __at * __n, 1, __valid);
}
template <typename __t, int __n, typename __p>
__expand void LoadDirectBlockedVectorized(int __at, __p __from, __t (&__items)[__n]) {
  __collective::__load(__from, __items, __at * __n, 1, (__at + 1) * __n);
}
template <int __x, typename __t, int __n, typename __p>
__expand void LoadDirectStriped(int __at, __p __from, __t (&__items)[__n]) {
  __collective::__load(__from, __items, __at, __x, __x * __n);
}
template <int __x, typename __t, int __n, typename __p>
__expand void LoadDirectStriped(int __at, __p __from, __t (&__items)[__n], int __valid) {
  __collective::__load(__from, __items, __at, __x, __valid);
}
template <typename __t, int __n, typename __p>
__expand void LoadDirectWarpStriped(int __at, __p __from, __t (&__items)[__n]) {
  int __first = __collective::__in_warps(__at, __n);
  __collective::__load(__from, __items, __first, __warp_lanes, __first + __warp_lanes * __n);
}
template <typename __t, int __n, typename __p>
__expand void LoadDirectWarpStriped(int __at, __p __from, __t (&__items)[__n], int __valid) {
  __collective::__load(__from, __items, __collective::__in_warps(__at, __n), __warp_lanes, __valid);
}
template <typename __t, int __n, typename __p, typename __d>
__expand void LoadDirectBlocked(int __at, __p __from, __t (&__items)[__n], int __valid, __d __other) {
  __collective::__fill(__items, (__t)__other);
  LoadDirectBlocked(__at, __from, __items, __valid);
}
template <int __x, typename __t, int __n, typename __p, typename __d>
__expand void LoadDirectStriped(int __at, __p __from, __t (&__items)[__n], int __valid, __d __other) {
  __collective::__fill(__items, (__t)__other);
  LoadDirectStriped<__x>(__at, __from, __items, __valid);
}
template <typename __t, int __n, typename __p, typename __d>
__expand void LoadDirectWarpStriped(int __at, __p __from, __t (&__items)[__n], int __valid, __d __other) {
  __collective::__fill(__items, (__t)__other);
  LoadDirectWarpStriped(__at, __from, __items, __valid);
}
template <typename __t, int __n, typename __p>
__expand void StoreDirectBlocked(int __at, __p __to, __t (&__items)[__n]) {
  __collective::__store(__to, __items, __at * __n, 1, (__at + 1) * __n);
}
template <typename __t, int __n, typename __p>
__expand void StoreDirectBlocked(int __at, __p __to, __t (&__items)[__n], int __valid) {
  __collective::__store(__to, __items, __at * __n, 1, __valid);
}
template <typename __t, int __n, typename __p>
__expand void StoreDirectBlockedVectorized(int __at, __p __to, __t (&__items)[__n]) {
  __collective::__store(__to, __items, __at * __n, 1, (__at + 1) * __n);
}
template <int __x, typename __t, int __n, typename __p>
__expand void StoreDirectStriped(int __at, __p __to, __t (&__items)[__n]) {
  __collective::__store(__to, __items, __at, __x, __x * __n);
}
template <int __x, typename __t, int __n, typename __p>
__expand void StoreDirectStriped(int __at, __p __to, __t (&__items)[__n], int __valid) {
  __collective::__store(__to, __items, __at, __x, __valid);
}
template <typename __t, int __n, typename __p>
__expand void StoreDirectWarpStriped(int __at, __p __to, __t (&__items)[__n]) {
  int __first = __collective::__in_warps(__at, __n);
  __collective::__store(__to, __items, __first, __warp_lanes, __first + __warp_lanes * __n);
}
template <typename __t, int __n, typename __p>
__expand void StoreDirectWarpStriped(int __at, __p __to, __t (&__items)[__n], int __valid) {
  __collective::__store(__to, __items, __collective::__in_warps(__at, __n), __warp_lanes, __valid);
}

template <typename __t, int __x, int __n, bool __sliced = false, int __y = 1, int __z = 1, int __arch = 0>
class BlockExchange {
 public:
  struct TempStorage {
    __t __data[__x * __y * __z * __n];
  };
  __expand BlockExchange() : __storage(__collective::__own<TempStorage>()) {}
  __expand BlockExchange(TempStorage& __temp) : __storage(__temp) {}
  template <typename __u> __expand void StripedToBlocked(const __t (&__in)[__n], __u (&__out)[__n]) {
    int __at = __collective::__rank(), __all = __x * __y * __z;
    __collective::__exchange(__storage.__data, __in, __out, __at, __all, __at * __n, 1, __all * __n);
  }
  __expand void StripedToBlocked(__t (&__items)[__n]) { StripedToBlocked(__items, __items); }
  template <typename __u> __expand void BlockedToStriped(const __t (&__in)[__n], __u (&__out)[__n]) {
    int __at = __collective::__rank(), __all = __x * __y * __z;
    __collective::__exchange(__storage.__data, __in, __out, __at * __n, 1, __at, __all, __all * __n);
  }
  __expand void BlockedToStriped(__t (&__items)[__n]) { BlockedToStriped(__items, __items); }
  template <typename __u> __expand void WarpStripedToBlocked(const __t (&__in)[__n], __u (&__out)[__n]) {
    int __at = __collective::__rank(), __all = __x * __y * __z;
    __collective::__exchange(__storage.__data, __in, __out, __collective::__in_warps(__at, __n),
        __collective::__warp_width(__all), __at * __n, 1, __all * __n);
  }
  __expand void WarpStripedToBlocked(__t (&__items)[__n]) { WarpStripedToBlocked(__items, __items); }
  template <typename __u> __expand void BlockedToWarpStriped(const __t (&__in)[__n], __u (&__out)[__n]) {
    int __at = __collective::__rank(), __all = __x * __y * __z;
    __collective::__exchange(__storage.__data, __in, __out, __at * __n, 1, __collective::__in_warps(__at, __n),
        __collective::__warp_width(__all), __all * __n);
  }
  __expand void BlockedToWarpStriped(__t (&__items)[__n]) { BlockedToWarpStriped(__items, __items); }
  template <typename __u, typename __r>
  __expand void ScatterToBlocked(const __t (&__in)[__n], __u (&__out)[__n], const __r (&__ranks)[__n]) {
    int __at = __collective::__rank();
    __collective::__scatter(__storage.__data, __in, __ranks);
    __syncthreads();
    __collective::__load(__storage.__data, __out, __at * __n, 1, __x * __y * __z * __n);
  }
  template <typename __r> __expand void ScatterToBlocked(__t (&__items)[__n], const __r (&__ranks)[__n]) {
    ScatterToBlocked(__items, __items, __ranks);
  }
  template <typename __u, typename __r>
  __expand void ScatterToStriped(const __t (&__in)[__n], __u (&__out)[__n], const __r (&__ranks)[__n]) {
    int __at = __collective::__rank();
    __collective::__scatter(__storage.__data, __in, __ranks);
    __syncthreads();
    __collective::__load(__storage.__data, __out, __at, __x * __y * __z, __x * __y * __z * __n);
  }
  template <typename __r> __expand void ScatterToStriped(__t (&__items)[__n], const __r (&__ranks)[__n]) {
    ScatterToStriped(__items, __items, __ranks);
  }
  template <typename __u, typename __r>
  __expand void ScatterToStripedGuarded(const __t (&__in)[__n], __u (&__out)[__n], const __r (&__ranks)[__n]) {
    int __at = __collective::__rank();
    __collective::__scatter_guarded(__storage.__data, __in, __ranks);
    __syncthreads();
    __collective::__load(__storage.__data, __out, __at, __x * __y * __z, __x * __y * __z * __n);
  }
  template <typename __r> __expand void ScatterToStripedGuarded(__t (&__items)[__n], const __r (&__ranks)[__n]) {
    ScatterToStripedGuarded(__items, __items, __ranks);
  }
  template <typename __u, typename __r, typename __g>
  __expand void ScatterToStripedFlagged(const __t (&__in)[__n], __u (&__out)[__n], const __r (&__ranks)[__n],
      const __g (&__is)[__n]) {
    int __at = __collective::__rank();
    __collective::__scatter_flagged(__storage.__data, __in, __ranks, __is);
    __syncthreads();
    __collective::__load(__storage.__data, __out, __at, __x * __y * __z, __x * __y * __z * __n);
  }
  template <typename __r, typename __g>
  __expand void ScatterToStripedFlagged(__t (&__items)[__n], const __r (&__ranks)[__n], const __g (&__is)[__n]) {
    ScatterToStripedFlagged(__items, __items, __ranks, __is);
  }

 private:
  TempStorage& __storage;
};

template <typename __k, int __x, int __n, typename __v = NullType, int __bits = 4, bool __memoize = true,
          BlockScanAlgorithm __a = BLOCK_SCAN_WARP_SCANS, int __banks = 0, int __y = 1, int __z = 1, int __arch = 0>
class BlockRadixSort {
 public:
  struct TempStorage {
    __k __keys[__x * __y * __z * __n];
    __v __values[__x * __y * __z * __n];
  };
  __expand BlockRadixSort() : __storage(__collective::__own<TempStorage>()) {}
  __expand BlockRadixSort(TempStorage& __temp) : __storage(__temp) {}
  __expand void Sort(__k (&__keys)[__n], int __begin = 0, int __end = 8 * sizeof(__k)) {
    __collective::__radix_order<__k> __order = {false, __begin, __end};
    __collective::__sort_block(__storage.__keys, __keys, __x * __y * __z, __x * __y * __z * __n, false, __order);
  }
  __expand void Sort(__k (&__keys)[__n], __v (&__values)[__n], int __begin = 0, int __end = 8 * sizeof(__k)) {
    __collective::__radix_order<__k> __order = {false, __begin, __end};
    __collective::__sort_block(__storage.__keys, __storage.__values, __keys, __values, __x * __y * __z, __x * __y * __z * __n,
        false, __order);
  }
  __expand void SortDescending(__k (&__keys)[__n], int __begin = 0, int __end = 8 * sizeof(__k)) {
    __collective::__radix_order<__k> __order = {true, __begin, __end};
    __collective::__sort_block(__storage.__keys, __keys, __x * __y * __z, __x * __y * __z * __n, false, __order);
  }
  __expand void SortDescending(__k (&__keys)[__n], __v (&__values)[__n], int __begin = 0, int __end = 8 * sizeof(__k)) {
    __collective::__radix_order<__k> __order = {true, __begin, __end};
    __collective::__sort_block(__storage.__keys, __storage.__values, __keys, __values, __x * __y * __z, __x * __y * __z * __n,
        false, __order);
  }
  __expand void SortBlockedToStriped(__k (&__keys)[__n], int __begin = 0, int __end = 8 * sizeof(__k)) {
    __collective::__radix_order<__k> __order = {false, __begin, __end};
    __collective::__sort_block(__storage.__keys, __keys, __x * __y * __z, __x * __y * __z * __n, true, __order);
  }
  __expand void SortBlockedToStriped(__k (&__keys)[__n], __v (&__values)[__n], int __begin = 0, int __end = 8 * sizeof(__k)) {
    __collective::__radix_order<__k> __order = {false, __begin, __end};
    __collective::__sort_block(__storage.__keys, __storage.__values, __keys, __values, __x * __y * __z, __x * __y * __z * __n,
        true, __order);
  }
  __expand void SortDescendingBlockedToStriped(__k (&__keys)[__n], int __begin = 0, int __end = 8 * sizeof(__k)) {
    __collective::__radix_order<__k> __order = {true, __begin, __end};
    __collective::__sort_block(__storage.__keys, __keys, __x * __y * __z, __x * __y * __z * __n, true, __order);
  }
  __expand void SortDescendingBlockedToStriped(__k (&__keys)[__n], __v (&__values)[__n], int __begin = 0,
      int __end = 8 * sizeof(__k)) {
    __collective::__radix_order<__k> __order = {true, __begin, __end};
    __collective::__sort_block(__storage.__keys, __storage.__values, __keys, __values, __x * __y * __z, __x * __y * __z * __n,
        true, __order);
  }

 private:
  TempStorage& __storage;
};

template <typename __k, int __x, int __n, typename __v = NullType, int __y = 1, int __z = 1, int __arch = 0>
class BlockMergeSort {
 public:
  struct TempStorage {
    __k __keys[__x * __y * __z * __n];
    __v __values[__x * __y * __z * __n];
  };
  __expand BlockMergeSort() : __storage(__collective::__own<TempStorage>()) {}
  __expand BlockMergeSort(TempStorage& __temp) : __storage(__temp) {}
  template <typename __f> __expand void Sort(__k (&__keys)[__n], __f __before) {
    __collective::__sort_block(__storage.__keys, __keys, __x * __y * __z, __x * __y * __z * __n, false, __before);
  }
  template <typename __f> __expand void Sort(__k (&__keys)[__n], __f __before, int __valid, __k __other) {
    __collective::__fill_from(__keys, __other, __valid - __collective::__rank() * __n);
    __collective::__sort_block(__storage.__keys, __keys, __x * __y * __z, __valid, false, __before);
  }
  template <typename __f> __expand void Sort(__k (&__keys)[__n], __v (&__values)[__n], __f __before) {
    __collective::__sort_block(__storage.__keys, __storage.__values, __keys, __values, __x * __y * __z, __x * __y * __z * __n,
        false, __before);
  }
  template <typename __f> __expand void Sort(__k (&__keys)[__n], __v (&__values)[__n], __f __before, int __valid, __k __other) {
    __collective::__fill_from(__keys, __other, __valid - __collective::__rank() * __n);
    __collective::__sort_block(__storage.__keys, __storage.__values, __keys, __values, __x * __y * __z, __valid, false, __before);
  }
  template <typename __f> __expand void StableSort(__k (&__keys)[__n], __f __before) {
    __collective::__sort_block(__storage.__keys, __keys, __x * __y * __z, __x * __y * __z * __n, false, __before);
  }
  template <typename __f> __expand void StableSort(__k (&__keys)[__n], __f __before, int __valid, __k __other) {
    __collective::__fill_from(__keys, __other, __valid - __collective::__rank() * __n);
    __collective::__sort_block(__storage.__keys, __keys, __x * __y * __z, __valid, false, __before);
  }
  template <typename __f> __expand void StableSort(__k (&__keys)[__n], __v (&__values)[__n], __f __before) {
    __collective::__sort_block(__storage.__keys, __storage.__values, __keys, __values, __x * __y * __z, __x * __y * __z * __n,
        false, __before);
  }
  template <typename __f>
  __expand void StableSort(__k (&__keys)[__n], __v (&__values)[__n], __f __before, int __valid, __k __other) {
    __collective::__fill_from(__keys, __other, __valid - __collective::__rank() * __n);
    __collective::__sort_block(__storage.__keys, __storage.__values, __keys, __values, __x * __y * __z, __valid, false, __before);
  }

 private:
  TempStorage& __storage;
};

template <typename __t, int __x, int __y = 1, int __z = 1, int __arch = 0>
class BlockDiscontinuity {
 public:
  typedef __collective::__ends<__t, __x * __y * __z> TempStorage;
  __expand BlockDiscontinuity() : __storage(__collective::__own<TempStorage>()) {}
  __expand BlockDiscontinuity(TempStorage& __temp) : __storage(__temp) {}
  template <int __n, typename __g, typename __f>
  __expand void FlagHeads(__g (&__heads)[__n], const __t (&__in)[__n], __f __op) {
    __storage.__put(__in);
    __storage.__heads(__heads, __in, __op, false, __in[0]);
  }
  template <int __n, typename __g, typename __f>
  __expand void FlagTails(__g (&__tails)[__n], const __t (&__in)[__n], __f __op) {
    __storage.__put(__in);
    __storage.__tails(__tails, __in, __op, false, __in[0]);
  }
  template <int __n, typename __g, typename __f>
  __expand void FlagHeads(__g (&__heads)[__n], const __t (&__in)[__n], __f __op, __t __before) {
    __storage.__put(__in);
    __storage.__heads(__heads, __in, __op, true, __before);
  }
  template <int __n, typename __g, typename __f>
  __expand void FlagTails(__g (&__tails)[__n], const __t (&__in)[__n], __f __op, __t __after) {
    __storage.__put(__in);
    __storage.__tails(__tails, __in, __op, true, __after);
  }
  template <int __n, typename __g, typename __f>
  __expand void FlagHeadsAndTails(__g (&__heads)[__n], __g (&__tails)[__n], const __t (&__in)[__n],
                                  __f __op) {
    __storage.__put(__in);
    __storage.__heads(__heads, __in, __op, false, __in[0]);
    __storage.__tails(__tails, __in, __op, false, __in[0]);
  }
  template <int __n, typename __g, typename __f>
  __expand void FlagHeadsAndTails(__g (&__heads)[__n], __g (&__tails)[__n], __t __after, const __t (&__in)[__n],
                                  __f __op) {
    __storage.__put(__in);
    __storage.__heads(__heads, __in, __op, false, __in[0]);
    __storage.__tails(__tails, __in, __op, true, __after);
  }
  template <int __n, typename __g, typename __f>
  __expand void FlagHeadsAndTails(__g (&__heads)[__n], __t __before, __g (&__tails)[__n], const __t (&__in)[__n],
                                  __f __op) {
    __storage.__put(__in);
    __storage.__heads(__heads, __in, __op, true, __before);
    __storage.__tails(__tails, __in, __op, false, __in[0]);
  }
  template <int __n, typename __g, typename __f>
  __expand void FlagHeadsAndTails(__g (&__heads)[__n], __t __before, __g (&__tails)[__n], __t __after, const __t (&__in)[__n],
                                  __f __op) {
    __storage.__put(__in);
    __storage.__heads(__heads, __in, __op, true, __before);
    __storage.__tails(__tails, __in, __op, true, __after);
  }

 private:
  TempStorage& __storage;
};

template <typename __t, int __x, int __y = 1, int __z = 1, int __arch = 0>
class BlockAdjacentDifference {
 public:
  typedef __collective::__ends<__t, __x * __y * __z> TempStorage;
  __expand BlockAdjacentDifference() : __storage(__collective::__own<TempStorage>()) {}
  __expand BlockAdjacentDifference(TempStorage& __temp) : __storage(__temp) {}
  template <int __n, typename __u, typename __f>
  __expand void SubtractLeft(const __t (&__in)[__n], __u (&__out)[__n], __f __op) {
    __storage.__put(__in);
    __storage.__left(__in, __out, __op, false, __in[0], __x * __y * __z * __n);
  }
  template <int __n, typename __u, typename __f>
  __expand void SubtractLeft(const __t (&__in)[__n], __u (&__out)[__n], __f __op, __t __before) {
    __storage.__put(__in);
    __storage.__left(__in, __out, __op, true, __before, __x * __y * __z * __n);
  }
  template <int __n, typename __u, typename __f>
  __expand void SubtractLeftPartialTile(const __t (&__in)[__n], __u (&__out)[__n], __f __op, int __valid) {
    __storage.__put(__in);
    __storage.__left(__in, __out, __op, false, __in[0], __valid);
  }
  template <int __n, typename __u, typename __f>
  __expand void SubtractLeftPartialTile(const __t (&__in)[__n], __u (&__out)[__n], __f __op, int __valid, __t __before) {
    __storage.__put(__in);
    __storage.__left(__in, __out, __op, true, __before, __valid);
  }
  template <int __n, typename __u, typename __f>
  __expand void SubtractRight(const __t (&__in)[__n], __u (&__out)[__n], __f __op) {
    __storage.__put(__in);
    __storage.__right(__in, __out, __op, false, __in[0], __x * __y * __z * __n);
  }
  template <int __n, typename __u, typename __f>
  __expand void SubtractRight(const __t (&__in)[__n], __u (&__out)[__n], __f __op, __t __after) {
    __storage.__put(__in);
    __storage.__right(__in, __out, __op, true, __after, __x * __y * __z * __n + 1);
  }
  template <int __n, typename __u, typename __f>
  __expand void SubtractRightPartialTile(const __t (&__in)[__n], __u (&__out)[__n], __f __op, int __valid) {
    __storage.__put(__in);
    __storage.__right(__in, __out, __op, false, __in[0], __valid);
  }

 private:
  TempStorage& __storage;
};

template <typename __t, int __x, int __y = 1, int __z = 1, int __arch = 0>
class BlockShuffle {
 public:
  typedef __collective::__ends<__t, __x * __y * __z> TempStorage;
  __expand BlockShuffle() : __storage(__collective::__own<TempStorage>()) {}
  __expand BlockShuffle(TempStorage& __temp) : __storage(__temp) {}
  __expand void Offset(__t __in, __t& __out, int __by = 1) { __storage.__offset(__in, __out, __by); }
  __expand void Rotate(__t __in, __t& __out, unsigned __by = 1) { __storage.__rotate(__in, __out, __by); }
  template <int __n> __expand void Up(__t (&__in)[__n], __t (&__out)[__n]) {
    __storage.__put(__in);
    __storage.__up(__in, __out);
  }
  template <int __n> __expand void Up(__t (&__in)[__n], __t (&__out)[__n], __t& __last) {
    Up(__in, __out);
    __last = __storage.__lasts[__x * __y * __z - 1];
  }
  template <int __n> __expand void Down(__t (&__in)[__n], __t (&__out)[__n]) {
    __storage.__put(__in);
    __storage.__down(__in, __out);
  }
  template <int __n> __expand void Down(__t (&__in)[__n], __t (&__out)[__n], __t& __first) {
    Down(__in, __out);
    __first = __storage.__firsts[0];
  }

 private:
  TempStorage& __storage;
};

template <typename __t, int __x, int __n, int __bins, BlockHistogramAlgorithm __a = BLOCK_HISTO_SORT, int __y = 1, int __z = 1,
    int __arch = 0>
class BlockHistogram {
 public:
  struct TempStorage {
    __t __data[__a == BLOCK_HISTO_SORT ? __x * __y * __z * __n : 1];
  };
  __expand BlockHistogram() : __storage(__collective::__own<TempStorage>()) {}
  __expand BlockHistogram(TempStorage& __temp) : __storage(__temp) {}
  template <typename __c> __expand void InitHistogram(__c* __counts) {
    __collective::__clear(__counts, __bins, __x * __y * __z);
  }
  template <typename __c> __expand void Composite(__t (&__items)[__n], __c* __counts) {
    __collective::__count<__a == BLOCK_HISTO_SORT>(__storage.__data, __items, __counts, __bins, __x * __y * __z);
  }
  template <typename __c> __expand void Histogram(__t (&__items)[__n], __c* __counts) {
    InitHistogram(__counts);
    __syncthreads();
    Composite(__items, __counts);
  }

 private:
  TempStorage& __storage;
};

template <typename __t, int __x, int __runs, int __n, typename __r = unsigned, int __y = 1, int __z = 1>
class BlockRunLengthDecode {
 public:
  typedef __collective::__runs_of<__t, __r, __x * __y * __z, __runs> TempStorage;
  template <typename __l, typename __s>
  __expand BlockRunLengthDecode(TempStorage& __temp, __t (&__values)[__runs], __l (&__lengths)[__runs], __s& __sum)
      : __storage(__temp) {
    __sum = __storage.__put_lengths(__values, __lengths);
  }
  template <typename __o>
  __expand BlockRunLengthDecode(TempStorage& __temp, __t (&__values)[__runs], __o (&__begins)[__runs]) : __storage(__temp) {
    __storage.__put(__values, __begins);
  }
  template <typename __o>
  __expand void RunLengthDecode(__t (&__items)[__n], __o (&__within)[__n], __r __from = 0) {
    __storage.__get(__items, __within, __from);
  }
  __expand void RunLengthDecode(__t (&__items)[__n], __r __from = 0) { __storage.__get(__items, __from); }

 private:
  TempStorage& __storage;
};

template <typename __t, int __n = __warp_lanes, int __arch = 0> class WarpReduce {
 public:
  struct TempStorage {
    char __unused;
  };
  __expand WarpReduce(TempStorage&) {}
  template <typename __f> __expand __t Reduce(__t __v, __f __op) {
    return __collective::__reduce_lanes<__n>(__v, __op, __n);
  }
  template <typename __f> __expand __t Reduce(__t __v, __f __op, int __valid) {
    return __collective::__reduce_lanes<__n>(__v, __op, __valid);
  }
  template <typename __g, typename __f> __expand __t HeadSegmentedReduce(__t __v, __g __is_head, __f __op) {
    return __collective::__reduce_lanes<__n>(__v, __op, __collective::__end_of_segment<__n>(__is_head, true));
  }
  template <typename __g, typename __f> __expand __t TailSegmentedReduce(__t __v, __g __is_tail, __f __op) {
    return __collective::__reduce_lanes<__n>(__v, __op, __collective::__end_of_segment<__n>(__is_tail, false));
  }
  __expand __t Sum(__t __v) { return Reduce(__v, __cub_name::Sum()); }
  __expand __t Sum(__t __v, int __valid) { return Reduce(__v, __cub_name::Sum(), __valid); }
  template <typename __g> __expand __t HeadSegmentedSum(__t __v, __g __is_head) {
    return HeadSegmentedReduce(__v, __is_head, __cub_name::Sum());
  }
  template <typename __g> __expand __t TailSegmentedSum(__t __v, __g __is_tail) {
    return TailSegmentedReduce(__v, __is_tail, __cub_name::Sum());
  }
};

template <typename __t, int __n = __warp_lanes, int __arch = 0> class WarpScan {
 public:
  struct TempStorage {
    char __unused;
  };
  __expand WarpScan(TempStorage&) {}
  template <typename __f> __expand void InclusiveScan(__t __in, __t& __out, __f __op) {
    __out = __collective::__scan_lanes<__n>(__in, __op);
  }
  template <typename __f> __expand void InclusiveScan(__t __in, __t& __out, __f __op, __t& __sum) {
    InclusiveScan(__in, __out, __op);
    __sum = Broadcast(__out, __n - 1);
  }
  template <typename __f> __expand void ExclusiveScan(__t __in, __t& __out, __t __start, __f __op) {
    __t __u = __collective::__value_before<__n>(__collective::__scan_lanes<__n>(__in, __op));
    __out = __collective::__lanes<__n>::__at() == 0 ? __start : __op(__start, __u);
  }
  template <typename __f> __expand void ExclusiveScan(__t __in, __t& __out, __t __start, __f __op, __t& __sum) {
    __t __v = __collective::__scan_lanes<__n>(__in, __op), __u = __collective::__value_before<__n>(__v);
    __out = __collective::__lanes<__n>::__at() == 0 ? __start : __op(__start, __u);
    __sum = Broadcast(__v, __n - 1);
  }
  template <typename __f> __expand void ExclusiveScan(__t __in, __t& __out, __f __op) {
    __out = __collective::__value_before<__n>(__collective::__scan_lanes<__n>(__in, __op));
  }
  template <typename __f> __expand void ExclusiveScan(__t __in, __t& __out, __f __op, __t& __sum) {
    __t __v = __collective::__scan_lanes<__n>(__in, __op);
    __out = __collective::__value_before<__n>(__v);
    __sum = Broadcast(__v, __n - 1);
  }
  template <typename __f> __expand void Scan(__t __in, __t& __upto, __t& __out, __f __op) {
    __upto = __collective::__scan_lanes<__n>(__in, __op);
    __out = __collective::__value_before<__n>(__upto);
  }
  template <typename __f> __expand void Scan(__t __in, __t& __upto, __t& __out, __t __start, __f __op) {
    __upto = __op(__start, __collective::__scan_lanes<__n>(__in, __op));
    __t __u = __collective::__value_before<__n>(__upto);
    __out = __collective::__lanes<__n>::__at() == 0 ? __start : __u;
  }
  __expand void InclusiveSum(__t __in, __t& __out) { InclusiveScan(__in, __out, __cub_name::Sum()); }
  __expand void InclusiveSum(__t __in, __t& __out, __t& __sum) { InclusiveScan(__in, __out, __cub_name::Sum(), __sum); }
  __expand void ExclusiveSum(__t __in, __t& __out) { ExclusiveScan(__in, __out, __t(), __cub_name::Sum()); }
  __expand void ExclusiveSum(__t __in, __t& __out, __t& __sum) {
    ExclusiveScan(__in, __out, __t(), __cub_name::Sum(), __sum);
  }
  __expand void Sum(__t __in, __t& __upto, __t& __out) { Scan(__in, __upto, __out, __t(), __cub_name::Sum()); }
  __expand __t Broadcast(__t __v, unsigned __from) { return __collective::__value_of<__n>(__v, __from); }
};

template <typename __t, int __n, int __w = __warp_lanes, int __arch = 0, WarpExchangeAlgorithm __a = WARP_EXCHANGE_SMEM>
class WarpExchange {
 public:
  struct TempStorage {
    __t __data[__w * __n];
  };
  __expand WarpExchange(TempStorage& __temp) : __storage(__temp) {}
  template <typename __u> __expand void BlockedToStriped(const __t (&__in)[__n], __u (&__out)[__n]) {
    __collective::__exchange_lanes<__w>(__storage.__data, __in, __out, false);
  }
  template <typename __u> __expand void StripedToBlocked(const __t (&__in)[__n], __u (&__out)[__n]) {
    __collective::__exchange_lanes<__w>(__storage.__data, __in, __out, true);
  }
  template <typename __u, typename __r>
  __expand void ScatterToStriped(const __t (&__in)[__n], __u (&__out)[__n], __r (&__ranks)[__n]) {
    __collective::__scatter_lanes<__w>(__storage.__data, __in, __out, __ranks);
  }
  template <typename __r> __expand void ScatterToStriped(__t (&__items)[__n], __r (&__ranks)[__n]) {
    ScatterToStriped(__items, __items, __ranks);
  }

 private:
  TempStorage& __storage;
};

template <typename __k, int __n, int __w = __warp_lanes, typename __v = NullType, int __arch = 0>
class WarpMergeSort {
 public:
  struct TempStorage {
    __k __keys[__w * __n];
    __v __values[__w * __n];
  };
  __expand WarpMergeSort(TempStorage& __temp) : __storage(__temp) {}
  template <typename __f> __expand void Sort(__k (&__keys)[__n], __f __before) {
    __collective::__sort_lanes<__w>(__storage.__keys, __keys, __w * __n, __before);
  }
  template <typename __f> __expand void Sort(__k (&__keys)[__n], __f __before, int __valid, __k __other) {
    __collective::__fill_from(__keys, __other, __valid - __collective::__lanes<__w>::__at() * __n);
    __collective::__sort_lanes<__w>(__storage.__keys, __keys, __valid, __before);
  }
  template <typename __f> __expand void Sort(__k (&__keys)[__n], __v (&__values)[__n], __f __before) {
    __collective::__sort_lanes<__w>(__storage.__keys, __storage.__values, __keys, __values, __w * __n, __before);
  }
  template <typename __f> __expand void Sort(__k (&__keys)[__n], __v (&__values)[__n], __f __before, int __valid, __k __other) {
    __collective::__fill_from(__keys, __other, __valid - __collective::__lanes<__w>::__at() * __n);
    __collective::__sort_lanes<__w>(__storage.__keys, __storage.__values, __keys, __values, __valid, __before);
  }
  template <typename __f> __expand void StableSort(__k (&__keys)[__n], __f __before) {
    __collective::__sort_lanes<__w>(__storage.__keys, __keys, __w * __n, __before);
  }
  template <typename __f> __expand void StableSort(__k (&__keys)[__n], __f __before, int __valid, __k __other) {
    __collective::__fill_from(__keys, __other, __valid - __collective::__lanes<__w>::__at() * __n);
    __collective::__sort_lanes<__w>(__storage.__keys, __keys, __valid, __before);
  }
  template <typename __f> __expand void StableSort(__k (&__keys)[__n], __v (&__values)[__n], __f __before) {
    __collective::__sort_lanes<__w>(__storage.__keys, __storage.__values, __keys, __values, __w * __n, __before);
  }
  template <typename __f>
  __expand void StableSort(__k (&__keys)[__n], __v (&__values)[__n], __f __before, int __valid, __k __other) {
    __collective::__fill_from(__keys, __other, __valid - __collective::__lanes<__w>::__at() * __n);
    __collective::__sort_lanes<__w>(__storage.__keys, __storage.__values, __keys, __values, __valid, __before);
  }

 private:
  TempStorage& __storage;
};

template <typename __t, int __n, WarpLoadAlgorithm __a = WARP_LOAD_DIRECT, int __w = __warp_lanes, int __arch = 0>
class WarpLoad {
 public:
  struct TempStorage {
    char __unused;
  };
  __expand WarpLoad() {}
  __expand WarpLoad(TempStorage&) {}
  template <typename __p> __expand void Load(__p __from, __t (&__items)[__n]) { Load(__from, __items, __w * __n); }
  template <typename __p> __expand void Load(__p __from, __t (&__items)[__n], int __valid) {
    if (__a == WARP_LOAD_TRANSPOSE) __syncwarp(__collective::__lanes<__w>::__mask());
    int __at = __collective::__lanes<__w>::__at();
    if (__a == WARP_LOAD_STRIPED) __collective::__load(__from, __items, __at, __w, __valid);
    else __collective::__load(__from, __items, __at * __n, 1, __valid);
  }
  template <typename __p, typename __d> __expand void Load(__p __from, __t (&__items)[__n], int __valid, __d __other) {
    __collective::__fill(__items, (__t)__other);
    Load(__from, __items, __valid);
  }
};

template <typename __t, int __n, WarpStoreAlgorithm __a = WARP_STORE_DIRECT, int __w = __warp_lanes, int __arch = 0>
class WarpStore {
 public:
  struct TempStorage {
    char __unused;
  };
  __expand WarpStore() {}
  __expand WarpStore(TempStorage&) {}
  template <typename __p> __expand void Store(__p __to, __t (&__items)[__n]) { Store(__to, __items, __w * __n); }
  template <typename __p> __expand void Store(__p __to, __t (&__items)[__n], int __valid) {
    if (__a == WARP_STORE_TRANSPOSE) __syncwarp(__collective::__lanes<__w>::__mask());
    int __at = __collective::__lanes<__w>::__at();
    if (__a == WARP_STORE_STRIPED) __collective::__store(__to, __items, __at, __w, __valid);
    else __collective::__store(__to, __items, __at * __n, 1, __valid);
  }
};

}  // namespace __cub_name
