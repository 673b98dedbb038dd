// Reductions of cooperative groups.
#pragma once
#include <cooperative_groups.h>

#define __cg __device__ __attribute__((expanded))
#ifdef __HIP__
#define __cg_warp 64
#else
#define __cg_warp 32
#endif

namespace cooperative_groups {

template <typename __t> struct plus {
  __cg __t operator()(__t __a, __t __b) const { return __a + __b; }
};
template <typename __t> struct less {
  __cg __t operator()(__t __a, __t __b) const { return __b < __a ? __b : __a; }
};
template <typename __t> struct greater {
  __cg __t operator()(__t __a, __t __b) const { return __a < __b ? __b : __a; }
};
template <typename __t> struct bit_and {
  __cg __t operator()(__t __a, __t __b) const { return __a & __b; }
};
template <typename __t> struct bit_or {
  __cg __t operator()(__t __a, __t __b) const { return __a | __b; }
};
template <typename __t> struct bit_xor {
  __cg __t operator()(__t __a, __t __b) const { return __a ^ __b; }
};

// Of a tile of a warp, and of one of several warps.
template <bool __has_warps> struct __details_reduction {
  template <unsigned __n, typename __p, typename __t, typename __f>
  __cg static __t __of(const thread_block_tile<__n, __p>& __g, __t __v, __f __op) {
    if (__n > 16) __v = __op(__v, __g.shfl_xor(__v, 16));
    if (__n > 8) __v = __op(__v, __g.shfl_xor(__v, 8));
    if (__n > 4) __v = __op(__v, __g.shfl_xor(__v, 4));
    if (__n > 2) __v = __op(__v, __g.shfl_xor(__v, 2));
    if (__n > 1) __v = __op(__v, __g.shfl_xor(__v, 1));
    return __v;
  }
};
#ifndef __HIP__
template <typename __t> __device__ __t* __details_slots() {
  __shared__ __t __slots[32];
  return __slots;
}
template <typename __t, typename __f> __device__ __t __details_fold(const __t* __slots, unsigned __count, __f __op) {
  __t __made = __slots[0];
  for (unsigned __i = 1; __i < __count; __i++) __made = __op(__made, __slots[__i]);
  return __made;
}
// A warp each combines what its threads have, and all combine what the warps have.
template <> struct __details_reduction<true> {
  template <unsigned __n, typename __p, typename __t, typename __f>
  __cg static __t __of(const thread_block_tile<__n, __p>& __g, __t __v, __f __op) {
    __v = __details_reduction<false>::__of(thread_block_tile<32, thread_block>(), __v, __op);
    __t* __slots = __details_slots<__t>();
    unsigned __rank = __details::__rank();
    __g.sync();
    if (__rank % 32 == 0) __slots[__rank / 32] = __v;
    __g.sync();
    return __details_fold(__slots + __rank / __n * (__n / 32), __n / 32, __op);
  }
};
#endif

template <unsigned __n, typename __p, typename __t, typename __f>
__cg __t reduce(const thread_block_tile<__n, __p>& __g, __t __v, __f __op) {
  return __details_reduction<(__n > __cg_warp)>::__of(__g, __v, __op);
}
template <typename __t, typename __f>
__device__ __t reduce(const coalesced_group& __g, __t __v, __f __op) {
  __t __made = __g.shfl(__v, 0);
  for (unsigned __i = 1; __i < __g.size(); __i++) __made = __op(__made, __g.shfl(__v, __i));
  return __made;
}

}  // namespace cooperative_groups

#undef __cg
#undef __cg_warp
