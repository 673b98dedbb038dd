// Copies that the threads of a group do together, and waiting for them. Here they are done at once.
#pragma once
#include <cooperative_groups.h>

#define __cg __device__ __attribute__((expanded))

namespace cooperative_groups {

template <typename __g, typename __t, typename __s>
__device__ void memcpy_async(const __g& __group, __t* __to, const __s* __from, unsigned long __bytes) {
  for (unsigned long __i = __group.thread_rank(); __i < __bytes / sizeof(__s); __i += __group.size())
    __to[__i] = __from[__i];
}
template <typename __g, typename __t, typename __s>
__device__ void memcpy_async(
    const __g& __group, __t* __to, unsigned long __room, const __s* __from, unsigned long __count) {
  for (unsigned long __i = __group.thread_rank(); __i < __count && __i < __room; __i += __group.size())
    __to[__i] = __from[__i];
}
template <typename __g> __cg void wait(const __g& __group) { __group.sync(); }
template <int __n, typename __g> __cg void wait_prior(const __g& __group) { __group.sync(); }

}  // namespace cooperative_groups

#undef __cg
