// Atomic objects of libcu++. All scopes and orders are those of the device and the strongest.
#ifndef __RECONVERGE_CUDA_ATOMIC
#define __RECONVERGE_CUDA_ATOMIC

namespace cuda {

enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };

namespace std {
enum memory_order {
  memory_order_relaxed,
  memory_order_consume,
  memory_order_acquire,
  memory_order_release,
  memory_order_acq_rel,
  memory_order_seq_cst
};
}  // namespace std
constexpr std::memory_order memory_order_relaxed = std::memory_order_relaxed;
constexpr std::memory_order memory_order_acquire = std::memory_order_acquire;
constexpr std::memory_order memory_order_release = std::memory_order_release;
constexpr std::memory_order memory_order_acq_rel = std::memory_order_acq_rel;
constexpr std::memory_order memory_order_seq_cst = std::memory_order_seq_cst;

// What is done at an address.
template <typename __t> struct __atomic_at {
  static __device__ __t __load(const __t* __p) {
    __t __x;
    if constexpr (sizeof(__t) == 8)
      asm volatile("ld.acquire.sys.u64 %0, [%1];" : "=l"(__x) : "l"(__p) : "memory");
    else
      asm volatile("ld.acquire.sys.u32 %0, [%1];" : "=r"(__x) : "l"(__p) : "memory");
    return __x;
  }
  static __device__ void __store(__t* __p, __t __x) {
    if constexpr (sizeof(__t) == 8)
      asm volatile("st.release.sys.u64 [%0], %1;" ::"l"(__p), "l"(__x) : "memory");
    else
      asm volatile("st.release.sys.u32 [%0], %1;" ::"l"(__p), "r"(__x) : "memory");
  }
  static __device__ bool __exchange(__t* __p, __t& __old, __t __x) {
    __t __was = atomicCAS(__p, __old, __x);
    bool __is_same = __was == __old;
    __old = __was;
    return __is_same;
  }
};

#define __cuda_atomic(__at)                                                                                  \
  __device__ __t load(int = 0) const { return __atomic_at<__t>::__load(__at); }                              \
  __device__ operator __t() const { return __atomic_at<__t>::__load(__at); }                                 \
  __device__ void store(__t __x, int = 0) { __atomic_at<__t>::__store(__at, __x); }                          \
  __device__ __t operator=(__t __x) {                                                                        \
    __atomic_at<__t>::__store(__at, __x);                                                                    \
    return __x;                                                                                              \
  }                                                                                                          \
  __device__ __t exchange(__t __x, int = 0) { return atomicExch(__at, __x); }                                \
  __device__ bool compare_exchange_strong(__t& __old, __t __x, int = 0, int = 0) {                           \
    return __atomic_at<__t>::__exchange(__at, __old, __x);                                                   \
  }                                                                                                          \
  __device__ bool compare_exchange_weak(__t& __old, __t __x, int = 0, int = 0) {                             \
    return __atomic_at<__t>::__exchange(__at, __old, __x);                                                   \
  }                                                                                                          \
  __device__ __t fetch_add(__t __x, int = 0) { return atomicAdd(__at, __x); }                                \
  __device__ __t fetch_sub(__t __x, int = 0) { return atomicAdd(__at, (__t)(0 - __x)); }                     \
  __device__ __t fetch_and(__t __x, int = 0) { return atomicAnd(__at, __x); }                                \
  __device__ __t fetch_or(__t __x, int = 0) { return atomicOr(__at, __x); }                                  \
  __device__ __t fetch_xor(__t __x, int = 0) { return atomicXor(__at, __x); }                                \
  __device__ __t fetch_min(__t __x, int = 0) { return atomicMin(__at, __x); }                                \
  __device__ __t fetch_max(__t __x, int = 0) { return atomicMax(__at, __x); }                                \
  __device__ __t operator++() { return atomicAdd(__at, (__t)1) + 1; }                                        \
  __device__ __t operator++(int) { return atomicAdd(__at, (__t)1); }                                         \
  __device__ __t operator--() { return atomicAdd(__at, (__t)(0 - 1)) - 1; }                                  \
  __device__ __t operator--(int) { return atomicAdd(__at, (__t)(0 - 1)); }                                   \
  __device__ __t operator+=(__t __x) { return atomicAdd(__at, __x) + __x; }                                  \
  __device__ __t operator-=(__t __x) { return atomicAdd(__at, (__t)(0 - __x)) - __x; }                       \
  __device__ void wait(__t __old, int = 0) const {                                                           \
    while (__atomic_at<__t>::__load(__at) == __old) {}                                                       \
  }                                                                                                          \
  __device__ void notify_one() {}                                                                            \
  __device__ void notify_all() {}

template <typename __t, thread_scope __s = thread_scope_system> struct atomic {
  __t __value;
  atomic() = default;
  __device__ constexpr atomic(__t __x) : __value(__x) {}
  __cuda_atomic(&__value)
};
template <typename __t, thread_scope __s = thread_scope_system> struct atomic_ref {
  __t* __place;
  __device__ explicit atomic_ref(__t& __x) : __place(&__x) {}
  __cuda_atomic(__place)
};

#undef __cuda_atomic

namespace std {
template <typename __t> using atomic = ::cuda::atomic<__t, thread_scope_system>;
template <typename __t> using atomic_ref = ::cuda::atomic_ref<__t, thread_scope_system>;
}  // namespace std

__device__ inline void atomic_thread_fence(int, thread_scope = thread_scope_system) { __threadfence(); }

}  // namespace cuda

#endif
