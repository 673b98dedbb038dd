// What the threads of a block or warp compute together in CUB and hipCUB; `__cub_name` is the namespace. A collective that keeps values in shared memory
// writes them, waits, and reads them: who uses the memory again has to wait first.
#pragma once

#define __cub __device__ __attribute__((expanded))
#ifdef __HIP__
#define __cub_mask unsigned long long
#define __cub_all 0xffffffffffffffffull
#define __cub_warp 64
#else
#define __cub_mask unsigned
#define __cub_all 0xffffffffu
#define __cub_warp 32
#endif

namespace __cub_name {

struct NullType {};
struct Sum {
  template <typename __t> __cub __t operator()(const __t& __a, const __t& __b) const { return __a + __b; }
};
struct Difference {
  template <typename __t> __cub __t operator()(const __t& __a, const __t& __b) const { return __a - __b; }
};
struct Max {
  template <typename __t> __cub __t operator()(const __t& __a, const __t& __b) const { return __a < __b ? __b : __a; }
};
struct Min {
  template <typename __t> __cub __t operator()(const __t& __a, const __t& __b) const { return __b < __a ? __b : __a; }
};
struct Equality {
  template <typename __t> __cub bool operator()(const __t& __a, const __t& __b) const { return __a == __b; }
};
struct Inequality {
  template <typename __t> __cub bool operator()(const __t& __a, const __t& __b) const { return !(__a == __b); }
};
template <typename __k, typename __v> struct KeyValuePair {
  typedef __k Key;
  typedef __v Value;
  __k key;
  __v value;
};
struct ArgMax {
  template <typename __t> __cub __t operator()(const __t& __a, const __t& __b) const {
    return __b.value > __a.value || __a.value == __b.value && __b.key < __a.key ? __b : __a;
  }
};
struct ArgMin {
  template <typename __t> __cub __t operator()(const __t& __a, const __t& __b) const {
    return __b.value < __a.value || __a.value == __b.value && __b.key < __a.key ? __b : __a;
  }
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

namespace __details {
__cub int __rank() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
// The values from one on, together.
template <typename __t, typename __f> __device__ __t __fold(const __t* __data, int __count, __f __op) {
  __t __made = __data[0];
  for (int __i = 1; __i < __count; __i++) __made = __op(__made, __data[__i]);
  return __made;
}
template <typename __t, typename __f> __device__ __t __fold_from(__t __made, const __t* __data, int __count, __f __op) {
  for (int __i = 0; __i < __count; __i++) __made = __op(__made, __data[__i]);
  return __made;
}
template <typename __t, int __n, typename __f>
__device__ void __scan(bool __is_inclusive, bool __has_start, __t __made, __t (&__in)[__n], __t (&__out)[__n], __f __op) {
  for (int __i = 0; __i < __n; __i++) {
    __t __value = __in[__i];
    if (!__is_inclusive && __has_start) __out[__i] = __made;
    __made = __has_start ? __op(__made, __value) : __value;
    __has_start = true;
    if (__is_inclusive) __out[__i] = __made;
  }
}
template <typename __t, int __n, typename __p>
__device__ void __load(__p __from, __t (&__items)[__n], int __first, int __step, int __valid) {
  for (int __i = 0; __i < __n; __i++)
    if (__first + __i * __step < __valid) __items[__i] = __from[__first + __i * __step];
}
template <typename __t, int __n, typename __p>
__device__ void __store(__p __to, __t (&__items)[__n], int __first, int __step, int __valid) {
  for (int __i = 0; __i < __n; __i++)
    if (__first + __i * __step < __valid) __to[__first + __i * __step] = __items[__i];
}
template <typename __t, int __n> __device__ void __fill(__t (&__items)[__n], __t __value) {
  for (int __i = 0; __i < __n; __i++) __items[__i] = __value;
}
template <typename __k, typename __v>
__device__ void __sort(__k* __keys, __v* __values, int __count, bool __is_descending) {
  for (int __i = 1; __i < __count; __i++) {
    __k __key = __keys[__i];
    __v __value = __values[__i];
    int __at = __i;
    while (__at > 0 && (__is_descending ? __keys[__at - 1] < __key : __key < __keys[__at - 1])) {
      __keys[__at] = __keys[__at - 1];
      __values[__at] = __values[__at - 1];
      __at--;
    }
    __keys[__at] = __key;
    __values[__at] = __value;
  }
}
}  // namespace __details

template <typename __t, int __x, BlockReduceAlgorithm __a = BLOCK_REDUCE_WARP_REDUCTIONS, int __y = 1, int __z = 1, int __arch = 0>
class BlockReduce {
 public:
  struct TempStorage {
    __t __data[__x * __y * __z];
  };
  __cub BlockReduce(TempStorage& __temp) : __storage(__temp) {}
  template <typename __f> __cub __t Reduce(__t __v, __f __op) { return Reduce(__v, __op, __x * __y * __z); }
  template <typename __f> __cub __t Reduce(__t __v, __f __op, int __valid) {
    __storage.__data[__details::__rank()] = __v;
    __syncthreads();
    __t __made;
    if (__details::__rank() == 0) __made = __details::__fold(__storage.__data, __valid, __op);
    return __made;
  }
  template <int __n, typename __f> __cub __t Reduce(__t (&__items)[__n], __f __op) {
    return Reduce(__details::__fold(__items, __n, __op), __op);
  }
  __cub __t Sum(__t __v) { return Reduce(__v, __cub_name::Sum()); }
  __cub __t Sum(__t __v, int __valid) { return Reduce(__v, __cub_name::Sum(), __valid); }
  template <int __n> __cub __t Sum(__t (&__items)[__n]) { return Reduce(__items, __cub_name::Sum()); }

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
  __cub BlockScan(TempStorage& __temp) : __storage(__temp) {}

  template <typename __f> __cub void InclusiveScan(__t __in, __t& __out, __f __op) {
    __put(__in);
    __out = __details::__fold(__storage.__data, __details::__rank() + 1, __op);
  }
  template <typename __f> __cub void InclusiveScan(__t __in, __t& __out, __f __op, __t& __sum) {
    InclusiveScan(__in, __out, __op);
    __sum = __details::__fold(__storage.__data, __x * __y * __z, __op);
  }
  template <typename __f> __cub void ExclusiveScan(__t __in, __t& __out, __t __start, __f __op) {
    __put(__in);
    __out = __details::__fold_from(__start, __storage.__data, __details::__rank(), __op);
  }
  template <typename __f> __cub void ExclusiveScan(__t __in, __t& __out, __t __start, __f __op, __t& __sum) {
    ExclusiveScan(__in, __out, __start, __op);
    __sum = __details::__fold(__storage.__data, __x * __y * __z, __op);
  }
  template <typename __f> __cub void ExclusiveScan(__t __in, __t& __out, __f __op) {
    __put(__in);
    if (__details::__rank() > 0) __out = __details::__fold(__storage.__data, __details::__rank(), __op);
  }
  __cub void InclusiveSum(__t __in, __t& __out) { InclusiveScan(__in, __out, __cub_name::Sum()); }
  __cub void InclusiveSum(__t __in, __t& __out, __t& __sum) { InclusiveScan(__in, __out, __cub_name::Sum(), __sum); }
  __cub void ExclusiveSum(__t __in, __t& __out) { ExclusiveScan(__in, __out, __t(), __cub_name::Sum()); }
  __cub void ExclusiveSum(__t __in, __t& __out, __t& __sum) { ExclusiveScan(__in, __out, __t(), __cub_name::Sum(), __sum); }
  template <typename __f> __cub void ExclusiveSum(__t __in, __t& __out, __f& __prefix_of) {
    ExclusiveSum(__in, __out);
    __t __start = __prefix(__details::__fold(__storage.__data, __x * __y * __z, __cub_name::Sum()), __prefix_of);
    __out = __start + __out;
  }
  template <typename __f> __cub void InclusiveSum(__t __in, __t& __out, __f& __prefix_of) {
    InclusiveSum(__in, __out);
    __t __start = __prefix(__details::__fold(__storage.__data, __x * __y * __z, __cub_name::Sum()), __prefix_of);
    __out = __start + __out;
  }

  template <int __n, typename __f> __cub void InclusiveScan(__t (&__in)[__n], __t (&__out)[__n], __f __op) {
    __put(__details::__fold(__in, __n, __op));
    int __at = __details::__rank();
    __t __start = __at > 0 ? __details::__fold(__storage.__data, __at, __op) : __t();
    __details::__scan(true, __at > 0, __start, __in, __out, __op);
  }
  template <int __n, typename __f>
  __cub void InclusiveScan(__t (&__in)[__n], __t (&__out)[__n], __f __op, __t& __sum) {
    InclusiveScan(__in, __out, __op);
    __sum = __details::__fold(__storage.__data, __x * __y * __z, __op);
  }
  template <int __n, typename __f>
  __cub void ExclusiveScan(__t (&__in)[__n], __t (&__out)[__n], __t __start, __f __op) {
    __put(__details::__fold(__in, __n, __op));
    __start = __details::__fold_from(__start, __storage.__data, __details::__rank(), __op);
    __details::__scan(false, true, __start, __in, __out, __op);
  }
  template <int __n, typename __f>
  __cub void ExclusiveScan(__t (&__in)[__n], __t (&__out)[__n], __t __start, __f __op, __t& __sum) {
    ExclusiveScan(__in, __out, __start, __op);
    __sum = __details::__fold(__storage.__data, __x * __y * __z, __op);
  }
  template <int __n> __cub void InclusiveSum(__t (&__in)[__n], __t (&__out)[__n]) {
    InclusiveScan(__in, __out, __cub_name::Sum());
  }
  template <int __n> __cub void InclusiveSum(__t (&__in)[__n], __t (&__out)[__n], __t& __sum) {
    InclusiveScan(__in, __out, __cub_name::Sum(), __sum);
  }
  template <int __n> __cub void ExclusiveSum(__t (&__in)[__n], __t (&__out)[__n]) {
    ExclusiveScan(__in, __out, __t(), __cub_name::Sum());
  }
  template <int __n> __cub void ExclusiveSum(__t (&__in)[__n], __t (&__out)[__n], __t& __sum) {
    ExclusiveScan(__in, __out, __t(), __cub_name::Sum(), __sum);
  }

 private:
  __cub void __put(__t __v) {
    __storage.__data[__details::__rank()] = __v;
    __syncthreads();
  }
  // What the first warp says that comes before the block, in all threads.
  template <typename __f> __cub __t __prefix(__t __sum, __f& __prefix_of) {
    if (__details::__rank() < __cub_warp) {
      __t __made = __prefix_of(__sum);
      if (__details::__rank() == 0) __storage.__prefix = __made;
    }
    __syncthreads();
    return __storage.__prefix;
  }
  TempStorage& __storage;
};

template <typename __t, int __x, int __n, BlockLoadAlgorithm __a = BLOCK_LOAD_DIRECT, int __y = 1, int __z = 1, int __arch = 0>
class BlockLoad {
 public:
  struct TempStorage {
    char __unused;
  };
  __cub BlockLoad() {}
  __cub BlockLoad(TempStorage&) {}
  template <typename __p> __cub void Load(__p __from, __t (&__items)[__n]) {
    Load(__from, __items, __x * __y * __z * __n);
  }
  template <typename __p> __cub void Load(__p __from, __t (&__items)[__n], int __valid) {
    if (__a >= BLOCK_LOAD_TRANSPOSE) __syncthreads();
    int __at = __details::__rank();
    if (__a == BLOCK_LOAD_STRIPED) __details::__load(__from, __items, __at, __x * __y * __z, __valid);
    else __details::__load(__from, __items, __at * __n, 1, __valid);
  }
  template <typename __p, typename __d> __cub void Load(__p __from, __t (&__items)[__n], int __valid, __d __other) {
    __details::__fill(__items, (__t)__other);
    Load(__from, __items, __valid);
  }
};

template <typename __t, int __x, int __n, BlockStoreAlgorithm __a = BLOCK_STORE_DIRECT, int __y = 1, int __z = 1, int __arch = 0>
class BlockStore {
 public:
  struct TempStorage {
    char __unused;
  };
  __cub BlockStore() {}
  __cub BlockStore(TempStorage&) {}
  template <typename __p> __cub void Store(__p __to, __t (&__items)[__n]) {
    Store(__to, __items, __x * __y * __z * __n);
  }
  template <typename __p> __cub void Store(__p __to, __t (&__items)[__n], int __valid) {
    if (__a >= BLOCK_STORE_TRANSPOSE) __syncthreads();
    int __at = __details::__rank();
    if (__a == BLOCK_STORE_STRIPED) __details::__store(__to, __items, __at, __x * __y * __z, __valid);
    else __details::__store(__to, __items, __at * __n, 1, __valid);
  }
};

template <int __x, typename __t, int __n, typename __p>
__cub void LoadDirectStriped(int __at, __p __from, __t (&__items)[__n]) {
  __details::__load(__from, __items, __at, __x, __x * __n);
}
template <int __x, typename __t, int __n, typename __p>
__cub void LoadDirectStriped(int __at, __p __from, __t (&__items)[__n], int __valid) {
  __details::__load(__from, __items, __at, __x, __valid);
}
template <int __x, typename __t, int __n, typename __p>
__cub void StoreDirectStriped(int __at, __p __to, __t (&__items)[__n]) {
  __details::__store(__to, __items, __at, __x, __x * __n);
}
template <int __x, typename __t, int __n, typename __p>
__cub void StoreDirectStriped(int __at, __p __to, __t (&__items)[__n], int __valid) {
  __details::__store(__to, __items, __at, __x, __valid);
}
template <typename __t, int __n, typename __p> __cub void LoadDirectBlocked(int __at, __p __from, __t (&__items)[__n]) {
  __details::__load(__from, __items, __at * __n, 1, (__at + 1) * __n);
}
template <typename __t, int __n, typename __p> __cub void StoreDirectBlocked(int __at, __p __to, __t (&__items)[__n]) {
  __details::__store(__to, __items, __at * __n, 1, (__at + 1) * __n);
}

template <typename __t, int __x, int __n, bool __sliced = false, int __y = 1, int __z = 1, int __arch = 0>
class BlockExchange {
 public:
  struct TempStorage {
    __t __data[__x * __y * __z * __n];
  };
  __cub BlockExchange(TempStorage& __temp) : __storage(__temp) {}
  __cub void StripedToBlocked(const __t (&__in)[__n], __t (&__out)[__n]) { __move(__in, __out, true); }
  __cub void BlockedToStriped(const __t (&__in)[__n], __t (&__out)[__n]) { __move(__in, __out, false); }
  __cub void StripedToBlocked(__t (&__items)[__n]) { __move(__items, __items, true); }
  __cub void BlockedToStriped(__t (&__items)[__n]) { __move(__items, __items, false); }

 private:
  __cub void __move(const __t (&__in)[__n], __t (&__out)[__n], bool __is_striped) {
    int __at = __details::__rank(), __all = __x * __y * __z;
    __details::__store(__storage.__data, __in, __is_striped ? __at : __at * __n, __is_striped ? __all : 1, __all * __n);
    __syncthreads();
    __details::__load(__storage.__data, __out, __is_striped ? __at * __n : __at, __is_striped ? 1 : __all, __all * __n);
  }
  TempStorage& __storage;
};

template <typename __k, int __x, int __n, typename __v = NullType, int __bits = 4>
class BlockRadixSort {
 public:
  struct TempStorage {
    __k __keys[__x * __n];
    __v __values[__x * __n];
  };
  __cub BlockRadixSort(TempStorage& __temp) : __storage(__temp) {}
  __cub void Sort(__k (&__keys)[__n]) { __sort(__keys, false, false); }
  __cub void SortDescending(__k (&__keys)[__n]) { __sort(__keys, true, false); }
  __cub void SortBlockedToStriped(__k (&__keys)[__n]) { __sort(__keys, false, true); }
  __cub void SortDescendingBlockedToStriped(__k (&__keys)[__n]) { __sort(__keys, true, true); }
  __cub void Sort(__k (&__keys)[__n], __v (&__values)[__n]) { __sort(__keys, __values, false, false); }
  __cub void SortDescending(__k (&__keys)[__n], __v (&__values)[__n]) { __sort(__keys, __values, true, false); }
  __cub void SortBlockedToStriped(__k (&__keys)[__n], __v (&__values)[__n]) { __sort(__keys, __values, false, true); }
  __cub void SortDescendingBlockedToStriped(__k (&__keys)[__n], __v (&__values)[__n]) {
    __sort(__keys, __values, true, true);
  }

 private:
  __cub void __sort(__k (&__keys)[__n], bool __is_descending, bool __is_striped) {
    int __at = __details::__rank();
    __details::__store(__storage.__keys, __keys, __at * __n, 1, __x * __n);
    __run(__is_descending);
    __details::__load(__storage.__keys, __keys, __is_striped ? __at : __at * __n, __is_striped ? __x : 1, __x * __n);
  }
  __cub void __sort(__k (&__keys)[__n], __v (&__values)[__n], bool __is_descending, bool __is_striped) {
    int __at = __details::__rank();
    __details::__store(__storage.__values, __values, __at * __n, 1, __x * __n);
    __details::__store(__storage.__keys, __keys, __at * __n, 1, __x * __n);
    __run(__is_descending);
    __details::__load(__storage.__keys, __keys, __is_striped ? __at : __at * __n, __is_striped ? __x : 1, __x * __n);
    __details::__load(__storage.__values, __values, __is_striped ? __at : __at * __n, __is_striped ? __x : 1, __x * __n);
  }
  __cub void __run(bool __is_descending) {
    __syncthreads();
    if (__details::__rank() == 0) __details::__sort(__storage.__keys, __storage.__values, __x * __n, __is_descending);
    __syncthreads();
  }
  TempStorage& __storage;
};

// The threads of a warp, or as many neighbours as a part of it has.
template <int __n> struct __details_warp {
  __cub static __cub_mask __lanes() {
    return __n == __cub_warp ? __cub_all : (((__cub_mask)1 << __n % __cub_warp) - 1) << (__lane_id() / __n * __n);
  }
  __cub static int __at() { return __n == __cub_warp ? __lane_id() : __lane_id() % __n; }
};

template <typename __t, int __n = __cub_warp, int __arch = 0> class WarpReduce {
 public:
  struct TempStorage {
    char __unused;
  };
  __cub WarpReduce(TempStorage&) {}
  template <typename __f> __cub __t Reduce(__t __v, __f __op) { return Reduce(__v, __op, __n); }
  template <typename __f> __cub __t Reduce(__t __v, __f __op, int __valid) {
    int __at = __details_warp<__n>::__at();
    __t __u;
    __u = __shfl_down_sync(__details_warp<__n>::__lanes(), __v, 1);
    if (__at + 1 < __valid) __v = __op(__v, __u);
    __u = __shfl_down_sync(__details_warp<__n>::__lanes(), __v, 2);
    if (__at + 2 < __valid) __v = __op(__v, __u);
    __u = __shfl_down_sync(__details_warp<__n>::__lanes(), __v, 4);
    if (__at + 4 < __valid) __v = __op(__v, __u);
    __u = __shfl_down_sync(__details_warp<__n>::__lanes(), __v, 8);
    if (__at + 8 < __valid) __v = __op(__v, __u);
    __u = __shfl_down_sync(__details_warp<__n>::__lanes(), __v, 16);
    if (__at + 16 < __valid) __v = __op(__v, __u);
    if (__n > 32) {
      __u = __shfl_down_sync(__details_warp<__n>::__lanes(), __v, 32);
      if (__at + 32 < __valid) __v = __op(__v, __u);
    }
    return __v;
  }
  __cub __t Sum(__t __v) { return Reduce(__v, __cub_name::Sum()); }
  __cub __t Sum(__t __v, int __valid) { return Reduce(__v, __cub_name::Sum(), __valid); }
};

template <typename __t, int __n = __cub_warp, int __arch = 0> class WarpScan {
 public:
  struct TempStorage {
    char __unused;
  };
  __cub WarpScan(TempStorage&) {}
  template <typename __f> __cub void InclusiveScan(__t __in, __t& __out, __f __op) {
    int __at = __details_warp<__n>::__at();
    __t __v = __in, __u;
    __u = __shfl_up_sync(__details_warp<__n>::__lanes(), __v, 1);
    if (__at >= 1) __v = __op(__u, __v);
    __u = __shfl_up_sync(__details_warp<__n>::__lanes(), __v, 2);
    if (__at >= 2) __v = __op(__u, __v);
    __u = __shfl_up_sync(__details_warp<__n>::__lanes(), __v, 4);
    if (__at >= 4) __v = __op(__u, __v);
    __u = __shfl_up_sync(__details_warp<__n>::__lanes(), __v, 8);
    if (__at >= 8) __v = __op(__u, __v);
    __u = __shfl_up_sync(__details_warp<__n>::__lanes(), __v, 16);
    if (__at >= 16) __v = __op(__u, __v);
    if (__n > 32) {
      __u = __shfl_up_sync(__details_warp<__n>::__lanes(), __v, 32);
      if (__at >= 32) __v = __op(__u, __v);
    }
    __out = __v;
  }
  template <typename __f> __cub void InclusiveScan(__t __in, __t& __out, __f __op, __t& __sum) {
    InclusiveScan(__in, __out, __op);
    __sum = Broadcast(__out, __n - 1);
  }
  template <typename __f> __cub void ExclusiveScan(__t __in, __t& __out, __t __start, __f __op) {
    __t __v;
    InclusiveScan(__in, __v, __op);
    __t __u = __shfl_up_sync(__details_warp<__n>::__lanes(), __v, 1);
    __out = __details_warp<__n>::__at() == 0 ? __start : __op(__start, __u);
  }
  template <typename __f> __cub void ExclusiveScan(__t __in, __t& __out, __f __op) {
    __t __v;
    InclusiveScan(__in, __v, __op);
    __out = __shfl_up_sync(__details_warp<__n>::__lanes(), __v, 1);
  }
  __cub void InclusiveSum(__t __in, __t& __out) { InclusiveScan(__in, __out, __cub_name::Sum()); }
  __cub void InclusiveSum(__t __in, __t& __out, __t& __sum) { InclusiveScan(__in, __out, __cub_name::Sum(), __sum); }
  __cub void ExclusiveSum(__t __in, __t& __out) { ExclusiveScan(__in, __out, __t(), __cub_name::Sum()); }
  __cub void ExclusiveSum(__t __in, __t& __out, __t& __sum) {
    ExclusiveSum(__in, __out);
    __sum = Broadcast(__out + __in, __n - 1);
  }
  __cub __t Broadcast(__t __v, unsigned __from) {
    return __shfl_sync(__details_warp<__n>::__lanes(), __v, __lane_id() - __details_warp<__n>::__at() + __from);
  }
};

}  // namespace __cub_name

#undef __cub
#undef __cub_mask
#undef __cub_all
#undef __cub_warp
