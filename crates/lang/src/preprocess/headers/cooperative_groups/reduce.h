// Reductions of cooperative groups.
#pragma once
#include <cooperative_groups.h>

#define __cg __device__ __attribute__((expanded))

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

template <unsigned __n, typename __p, typename __t, typename __f>
__cg __t reduce(const thread_block_tile<__n, __p>& __g, __t __v, __f __op) {
  if (__n > 16) __v = __op(__v, __g.shfl_xor(__v, 16));
  if (__n > 8) __v = __op(__v, __g.shfl_xor(__v, 8));
  if (__n > 4) __v = __op(__v, __g.shfl_xor(__v, 4));
  if (__n > 2) __v = __op(__v, __g.shfl_xor(__v, 2));
  if (__n > 1) __v = __op(__v, __g.shfl_xor(__v, 1));
  return __v;
}
template <typename __t, typename __f>
__device__ __t reduce(const coalesced_group& __g, __t __v, __f __op) {
  __t __made = __g.shfl(__v, 0);
  for (unsigned __i = 1; __i < __g.size(); __i++) __made = __op(__made, __g.shfl(__v, __i));
  return __made;
}

}  // namespace cooperative_groups

#undef __cg
