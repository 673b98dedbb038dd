// Barriers and pipelines of libcu++: objects in memory at which so many threads arrive as were named. Copies are done at once.
#ifndef __RECONVERGE_CUDA_BARRIER
#define __RECONVERGE_CUDA_BARRIER
#include <cuda/atomic>
#include <utility>

namespace cuda {

template <int __n> struct aligned_size_t {
  unsigned long __bytes;
  __device__ explicit aligned_size_t(unsigned long __x) : __bytes(__x) {}
  __device__ operator unsigned long() const { return __bytes; }
};

template <thread_scope __s = thread_scope_system> struct barrier {
  typedef unsigned arrival_token;
  typedef __atomic_at<unsigned> __at;
  unsigned __expected, __missing, __phase;
  barrier() = default;
  __device__ barrier(long __n) : __expected(__n), __missing(__n), __phase(0) {}
  __device__ arrival_token arrive(long __n = 1) {
    unsigned __now = __at::__load(&__phase);
    __threadfence();
    bool __is_last = atomicSub(&__missing, (unsigned)__n) == (unsigned)__n;
    __threadfence();
    if (__is_last) {
      __missing = __expected;
      __at::__store(&__phase, __now + 1);
    }
    return __now;
  }
  __device__ void wait(arrival_token __token) const {
    while (__at::__load(&__phase) == __token) {}
  }
  __device__ bool try_wait(arrival_token __token) const { return __at::__load(&__phase) != __token; }
  __device__ void wait_parity(bool __odd) const {
    while ((__at::__load(&__phase) & 1) == (unsigned)__odd) {}
  }
  __device__ void arrive_and_wait() { wait(arrive()); }
  __device__ void arrive_and_drop() {
    atomicSub(&__expected, 1u);
    arrive();
  }
};
template <thread_scope __s> __device__ void init(barrier<__s>* __b, long __n) {
  __b->__expected = __n;
  __b->__missing = __n;
  __b->__phase = 0;
}
namespace std {
template <typename __c = int> using barrier = ::cuda::barrier<thread_scope_system>;
}

// The pipeline of one thread: what it has asked for is there when it waits.
template <thread_scope __s> struct pipeline;
template <> struct pipeline<thread_scope_thread> {
  __device__ void producer_acquire() {}
  __device__ void producer_commit() {}
  __device__ void consumer_wait() {}
  __device__ void consumer_release() {}
  __device__ void quit() {}
};
__device__ inline pipeline<thread_scope_thread> make_pipeline() { return pipeline<thread_scope_thread>(); }
template <int __n> __device__ void pipeline_consumer_wait_prior(pipeline<thread_scope_thread>&) {}

template <typename __t, typename __u, typename __n, typename __w>
__device__ void memcpy_async(__t* __to, const __u* __from, __n __bytes, __w&) {
  for (unsigned long __i = 0; __i < (unsigned long)__bytes / sizeof(__u); __i++) __to[__i] = __from[__i];
}
template <typename __g, typename __t, typename __u, typename __n, typename __w>
__device__ void memcpy_async(const __g& __group, __t* __to, const __u* __from, __n __bytes, __w&) {
  for (unsigned long __i = __group.thread_rank(); __i < (unsigned long)__bytes / sizeof(__u); __i += __group.size())
    __to[__i] = __from[__i];
}

}  // namespace cuda

#endif
