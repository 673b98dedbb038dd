// Complex numbers of CUDA and HIP, as vectors of two; the names of functions begin and end with what is given.
#pragma once

#define __RECONVERGE_COMPLEX(__c, __t, __p, __s) \
  __host__ __device__ inline __t __p##Creal##__s(__c __a) { return __a.x; } \
  __host__ __device__ inline __t __p##Cimag##__s(__c __a) { return __a.y; } \
  __host__ __device__ inline __c make_##__c(__t __x, __t __y) { \
    __c __made; \
    __made.x = __x; \
    __made.y = __y; \
    return __made; \
  } \
  __host__ __device__ inline __c __p##Conj##__s(__c __a) { return make_##__c(__a.x, -__a.y); } \
  __host__ __device__ inline __c __p##Cadd##__s(__c __a, __c __b) { return make_##__c(__a.x + __b.x, __a.y + __b.y); } \
  __host__ __device__ inline __c __p##Csub##__s(__c __a, __c __b) { return make_##__c(__a.x - __b.x, __a.y - __b.y); } \
  __host__ __device__ inline __c __p##Cmul##__s(__c __a, __c __b) { \
    return make_##__c(__a.x * __b.x - __a.y * __b.y, __a.x * __b.y + __a.y * __b.x); \
  } \
  __host__ __device__ inline __c __p##Cfma##__s(__c __a, __c __b, __c __d) { \
    return __p##Cadd##__s(__p##Cmul##__s(__a, __b), __d); \
  } \
  __host__ __device__ inline __c __p##Cdiv##__s(__c __a, __c __b) { \
    __t __size = __b.x * __b.x + __b.y * __b.y; \
    return make_##__c((__a.x * __b.x + __a.y * __b.y) / __size, (__a.y * __b.x - __a.x * __b.y) / __size); \
  } \
  __host__ __device__ inline __t __p##Csqabs##__s(__c __a) { return __a.x * __a.x + __a.y * __a.y; } \
  __host__ __device__ inline __t __p##Cabs##__s(__c __a) { return (__t)sqrt(__a.x * __a.x + __a.y * __a.y); }
