// Floats of 8 bits of CUDA and HIP: 4 bits of exponent and 3 of the fraction without infinities, or 5 and 2 with them.
#pragma once
#include <reconverge/half2.h>

#define __fp8_function static __host__ __device__ __inline__

// The float nearest to a number, of two the even one. What is too large becomes the largest one, or NaN or infinity.
__fp8_function unsigned char __reconverge_to_fp8(float __v, int __fraction, bool __saturates) {
  int __bias = __fraction == 3 ? 7 : 15, __most = __fraction == 3 ? 0x7e : 0x7b;
  unsigned char __sign = __v < 0.0f || __v == 0.0f && 1.0f / __v < 0.0f ? 0x80 : 0;
  if (__v != __v) return 0x7f;
  float __size = fabsf(__v);
  int __exponent = 1 - __bias;
  float __unit = __fraction == 3 ? 512.0f : 65536.0f;
  if (__size >= 65536.0f) __size = 65536.0f;
  while (__size * __unit >= (float)(2 << __fraction)) {
    __unit *= 0.5f;
    __exponent++;
  }
  int __made = (__exponent + __bias - 1 << __fraction) + (int)rintf(__size * __unit);
  if (__made > __most) __made = __saturates ? __most : __most + 1;
  return __sign | __made;
}
__fp8_function float __reconverge_of_fp8(unsigned char __v, int __fraction) {
  int __bias = __fraction == 3 ? 7 : 15, __exponent = (__v & 0x7f) >> __fraction, __part = __v & (1 << __fraction) - 1;
  float __sign = __v & 0x80 ? -1.0f : 1.0f;
  if (__fraction == 3 && (__v & 0x7f) == 0x7f) return nanf("");
  if (__fraction == 2 && __exponent == 31) return __part ? nanf("") : __sign / 0.0f;
  float __made = __exponent == 0 ? ldexpf((float)__part, 1 - __bias - __fraction)
                                 : ldexpf((float)((1 << __fraction) + __part), __exponent - __bias - __fraction);
  return __sign * __made;
}

#define __RECONVERGE_FP8_NUMBER(name, fraction) \
  struct name { \
    unsigned char __x; \
    name() = default; \
    __host__ __device__ explicit name(float __v) : __x(__reconverge_to_fp8(__v, fraction, true)) {} \
    __host__ __device__ explicit name(double __v) : __x(__reconverge_to_fp8((float)__v, fraction, true)) {} \
    __host__ __device__ explicit name(int __v) : __x(__reconverge_to_fp8((float)__v, fraction, true)) {} \
    __host__ __device__ explicit name(unsigned __v) : __x(__reconverge_to_fp8((float)__v, fraction, true)) {} \
    __host__ __device__ explicit name(__half __v) : __x(__reconverge_to_fp8((float)__v, fraction, true)) {} \
    __host__ __device__ explicit name(__nv_bfloat16 __v) : __x(__reconverge_to_fp8((float)__v, fraction, true)) {} \
    __host__ __device__ explicit operator float() const { return __reconverge_of_fp8(__x, fraction); } \
    __host__ __device__ explicit operator double() const { return __reconverge_of_fp8(__x, fraction); } \
    __host__ __device__ explicit operator __half() const { return (__half)__reconverge_of_fp8(__x, fraction); } \
    __host__ __device__ explicit operator __nv_bfloat16() const { return (__nv_bfloat16)__reconverge_of_fp8(__x, fraction); } \
  };

// Two and four of them, in the order of the memory.
#define __RECONVERGE_FP8_VECTORS(name, bytes, fraction) \
  struct name##x2_##bytes { \
    unsigned short __x; \
    name##x2_##bytes() = default; \
    __host__ __device__ explicit name##x2_##bytes(float2 __v) \
        : __x(__reconverge_to_fp8(__v.x, fraction, true) | __reconverge_to_fp8(__v.y, fraction, true) << 8) {} \
    __host__ __device__ explicit operator float2() const { \
      return make_float2(__reconverge_of_fp8(__x, fraction), __reconverge_of_fp8(__x >> 8, fraction)); \
    } \
  }; \
  struct name##x4_##bytes { \
    unsigned __x; \
    name##x4_##bytes() = default; \
    __host__ __device__ explicit name##x4_##bytes(float4 __v) \
        : __x(__reconverge_to_fp8(__v.x, fraction, true) | __reconverge_to_fp8(__v.y, fraction, true) << 8 | \
              __reconverge_to_fp8(__v.z, fraction, true) << 16 | (unsigned)__reconverge_to_fp8(__v.w, fraction, true) << 24) {} \
    __host__ __device__ explicit operator float4() const { \
      return make_float4(__reconverge_of_fp8(__x, fraction), __reconverge_of_fp8(__x >> 8, fraction), \
                         __reconverge_of_fp8(__x >> 16, fraction), __reconverge_of_fp8(__x >> 24, fraction)); \
    } \
  };

// Names begin with `__nv` or `__hip`, those of enumerators with `__NV` or `__HIP`.
#define __RECONVERGE_FP8(p, P) \
  typedef unsigned char p##_fp8_storage_t; \
  typedef unsigned short p##_fp8x2_storage_t; \
  typedef unsigned p##_fp8x4_storage_t; \
  enum p##_saturation_t { P##_NOSAT, P##_SATFINITE }; \
  enum p##_fp8_interpretation_t { P##_E4M3, P##_E5M2 }; \
  __RECONVERGE_FP8_NUMBER(p##_fp8_e4m3, 3) \
  __RECONVERGE_FP8_NUMBER(p##_fp8_e5m2, 2) \
  __RECONVERGE_FP8_VECTORS(p##_fp8, e4m3, 3) \
  __RECONVERGE_FP8_VECTORS(p##_fp8, e5m2, 2) \
  __fp8_function p##_fp8_storage_t p##_cvt_float_to_fp8( \
      float __v, p##_saturation_t __s, p##_fp8_interpretation_t __i) { \
    return __reconverge_to_fp8(__v, __i == P##_E4M3 ? 3 : 2, __s == P##_SATFINITE); \
  } \
  __fp8_function p##_fp8_storage_t p##_cvt_double_to_fp8( \
      double __v, p##_saturation_t __s, p##_fp8_interpretation_t __i) { \
    return p##_cvt_float_to_fp8((float)__v, __s, __i); \
  } \
  __fp8_function p##_fp8x2_storage_t p##_cvt_float2_to_fp8x2( \
      float2 __v, p##_saturation_t __s, p##_fp8_interpretation_t __i) { \
    return p##_cvt_float_to_fp8(__v.x, __s, __i) | p##_cvt_float_to_fp8(__v.y, __s, __i) << 8; \
  }
