// Random numbers of cuRAND, hipRAND and rocRAND. The states are those of one generator, and not of the libraries': numbers differ from theirs, and are the
// same in each run.
#pragma once

struct __reconverge_random {
  unsigned __d, __v[5];
  bool __has_more;
  float __more;
  bool __has_more_double;
  double __more_double;
};

namespace __reconverge {
__host__ __device__ inline unsigned __mixed(unsigned long long& __x) {
  __x += 0x9e3779b97f4a7c15ull;
  unsigned long long __y = (__x ^ (__x >> 30)) * 0xbf58476d1ce4e5b9ull;
  __y = (__y ^ (__y >> 27)) * 0x94d049bb133111ebull;
  return (unsigned)(__y >> 32);
}
__host__ __device__ inline unsigned __next(__reconverge_random* __s) {
  unsigned __t = __s->__v[0] ^ (__s->__v[0] >> 2);
  for (int __i = 0; __i < 4; __i++) __s->__v[__i] = __s->__v[__i + 1];
  __s->__v[4] = (__s->__v[4] ^ (__s->__v[4] << 4)) ^ (__t ^ (__t << 1));
  __s->__d += 362437;
  return __s->__v[4] + __s->__d;
}
__host__ __device__ inline void __start(
    unsigned long long __seed, unsigned long long __sequence, unsigned long long __offset, __reconverge_random* __s) {
  unsigned long long __x = __seed ^ (__sequence * 0xd1342543de82ef95ull) ^ (__offset << 17);
  __s->__d = __mixed(__x);
  for (int __i = 0; __i < 5; __i++) __s->__v[__i] = __mixed(__x) | 1;
  __s->__has_more = false;
  __s->__has_more_double = false;
}
// More than 0, at most 1.
__host__ __device__ inline float __uniform(__reconverge_random* __s) { return (__next(__s) >> 8) * 5.9604645e-8f + 5.9604645e-8f; }
__host__ __device__ inline double __uniform_double(__reconverge_random* __s) {
  unsigned long long __x = (unsigned long long)__next(__s) << 21 ^ __next(__s) >> 11;
  return __x * 1.1102230246251565e-16 + 1.1102230246251565e-16;
}
__host__ __device__ inline float2 __normal2(__reconverge_random* __s) {
  float __r = sqrtf(-2.0f * logf(__uniform(__s))), __angle = 6.2831853f * __uniform(__s);
  float2 __made;
  __made.x = __r * sinf(__angle);
  __made.y = __r * cosf(__angle);
  return __made;
}
__host__ __device__ inline double2 __normal2_double(__reconverge_random* __s) {
  double __r = sqrt(-2.0 * log(__uniform_double(__s))), __angle = 6.283185307179586 * __uniform_double(__s);
  double2 __made;
  __made.x = __r * sin(__angle);
  __made.y = __r * cos(__angle);
  return __made;
}
__host__ __device__ inline float __normal(__reconverge_random* __s) {
  if (__s->__has_more) {
    __s->__has_more = false;
    return __s->__more;
  }
  float2 __made = __normal2(__s);
  __s->__has_more = true;
  __s->__more = __made.y;
  return __made.x;
}
__host__ __device__ inline double __normal_double(__reconverge_random* __s) {
  if (__s->__has_more_double) {
    __s->__has_more_double = false;
    return __s->__more_double;
  }
  double2 __made = __normal2_double(__s);
  __s->__has_more_double = true;
  __s->__more_double = __made.y;
  return __made.x;
}
__host__ __device__ inline unsigned __poisson(__reconverge_random* __s, double __mean) {
  double __limit = exp(-__mean), __product = __uniform_double(__s);
  unsigned __count = 0;
  while (__product > __limit) {
    __product *= __uniform_double(__s);
    __count++;
  }
  return __count;
}
}  // namespace __reconverge

#define __RECONVERGE_RANDOM(__p) \
  __host__ __device__ inline void __p##_init( \
      unsigned long long __seed, unsigned long long __sequence, unsigned long long __offset, __reconverge_random* __s) { \
    __reconverge::__start(__seed, __sequence, __offset, __s); \
  } \
  __host__ __device__ inline void __p##_init(const unsigned* __vectors, unsigned __offset, __reconverge_random* __s) { \
    __reconverge::__start(__vectors[0], __vectors[1], __offset, __s); \
  } \
  __host__ __device__ inline unsigned __p(__reconverge_random* __s) { return __reconverge::__next(__s); } \
  __host__ __device__ inline uint4 __p##4(__reconverge_random* __s) { \
    uint4 __made; \
    __made.x = __p(__s); \
    __made.y = __p(__s); \
    __made.z = __p(__s); \
    __made.w = __p(__s); \
    return __made; \
  } \
  __host__ __device__ inline float __p##_uniform(__reconverge_random* __s) { return __reconverge::__uniform(__s); } \
  __host__ __device__ inline double __p##_uniform_double(__reconverge_random* __s) { \
    return __reconverge::__uniform_double(__s); \
  } \
  __host__ __device__ inline float4 __p##_uniform4(__reconverge_random* __s) { \
    float4 __made; \
    __made.x = __p##_uniform(__s); \
    __made.y = __p##_uniform(__s); \
    __made.z = __p##_uniform(__s); \
    __made.w = __p##_uniform(__s); \
    return __made; \
  } \
  __host__ __device__ inline double2 __p##_uniform2_double(__reconverge_random* __s) { \
    double2 __made; \
    __made.x = __p##_uniform_double(__s); \
    __made.y = __p##_uniform_double(__s); \
    return __made; \
  } \
  __host__ __device__ inline float __p##_normal(__reconverge_random* __s) { return __reconverge::__normal(__s); } \
  __host__ __device__ inline float2 __p##_normal2(__reconverge_random* __s) { return __reconverge::__normal2(__s); } \
  __host__ __device__ inline float4 __p##_normal4(__reconverge_random* __s) { \
    float2 __a = __p##_normal2(__s), __b = __p##_normal2(__s); \
    float4 __made; \
    __made.x = __a.x; \
    __made.y = __a.y; \
    __made.z = __b.x; \
    __made.w = __b.y; \
    return __made; \
  } \
  __host__ __device__ inline double __p##_normal_double(__reconverge_random* __s) { \
    return __reconverge::__normal_double(__s); \
  } \
  __host__ __device__ inline double2 __p##_normal2_double(__reconverge_random* __s) { \
    return __reconverge::__normal2_double(__s); \
  } \
  __host__ __device__ inline float __p##_log_normal(__reconverge_random* __s, float __mean, float __deviation) { \
    return expf(__mean + __deviation * __p##_normal(__s)); \
  } \
  __host__ __device__ inline double __p##_log_normal_double(__reconverge_random* __s, double __mean, double __deviation) { \
    return exp(__mean + __deviation * __p##_normal_double(__s)); \
  } \
  __host__ __device__ inline unsigned __p##_poisson(__reconverge_random* __s, double __mean) { \
    return __reconverge::__poisson(__s, __mean); \
  } \
  __host__ __device__ inline unsigned __p##_discrete(__reconverge_random* __s, const void*) { return __p(__s) & 255; } \
  __host__ __device__ inline void skipahead(unsigned long long __count, __reconverge_random* __s) { \
    __reconverge::__start(__s->__v[0] ^ __count, __s->__d, __count, __s); \
  } \
  __host__ __device__ inline void skipahead_sequence(unsigned long long __count, __reconverge_random* __s) { \
    __reconverge::__start(__s->__v[0], __s->__d, __count, __s); \
  }

#define __RECONVERGE_RANDOM_STATE(__name) \
  struct __name : __reconverge_random {}; \
  typedef struct __name __name##_t;
