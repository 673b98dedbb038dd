// Scans of cooperative groups.
#pragma once
#include <cooperative_groups/reduce.h>

#define __cg __device__ __attribute__((expanded))

namespace cooperative_groups {

template <unsigned __n, typename __p, typename __t, typename __f>
__cg __t inclusive_scan(const thread_block_tile<__n, __p>& __g, __t __v, __f __op) {
  unsigned __at = __g.thread_rank();
  __t __u = __g.shfl_up(__v, 1);
  if (__at >= 1) __v = __op(__u, __v);
  __u = __g.shfl_up(__v, 2);
  if (__at >= 2) __v = __op(__u, __v);
  __u = __g.shfl_up(__v, 4);
  if (__at >= 4) __v = __op(__u, __v);
  __u = __g.shfl_up(__v, 8);
  if (__at >= 8) __v = __op(__u, __v);
  __u = __g.shfl_up(__v, 16);
  if (__at >= 16) __v = __op(__u, __v);
  return __v;
}
template <unsigned __n, typename __p, typename __t>
__cg __t inclusive_scan(const thread_block_tile<__n, __p>& __g, __t __v) {
  return inclusive_scan(__g, __v, plus<__t>());
}
template <unsigned __n, typename __p, typename __t, typename __f>
__cg __t exclusive_scan(const thread_block_tile<__n, __p>& __g, __t __v, __f __op) {
  __t __u = __g.shfl_up(inclusive_scan(__g, __v, __op), 1);
  return __g.thread_rank() == 0 ? __t() : __u;
}
template <unsigned __n, typename __p, typename __t>
__cg __t exclusive_scan(const thread_block_tile<__n, __p>& __g, __t __v) {
  return exclusive_scan(__g, __v, plus<__t>());
}
template <typename __t, typename __f>
__device__ __t inclusive_scan(const coalesced_group& __g, __t __v, __f __op) {
  __t __made = __g.shfl(__v, 0);
  for (unsigned __i = 1; __i < __g.size(); __i++) {
    __t __u = __g.shfl(__v, __i);
    if (__i <= __g.thread_rank()) __made = __op(__made, __u);
  }
  return __made;
}
template <typename __t> __device__ __t inclusive_scan(const coalesced_group& __g, __t __v) {
  return inclusive_scan(__g, __v, plus<__t>());
}
template <typename __t, typename __f>
__device__ __t exclusive_scan(const coalesced_group& __g, __t __v, __f __op) {
  __t __u = __g.shfl_up(inclusive_scan(__g, __v, __op), 1);
  return __g.thread_rank() == 0 ? __t() : __u;
}
template <typename __t> __device__ __t exclusive_scan(const coalesced_group& __g, __t __v) {
  return exclusive_scan(__g, __v, plus<__t>());
}

}  // namespace cooperative_groups

#undef __cg
