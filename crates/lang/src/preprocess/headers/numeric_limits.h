// `std::numeric_limits`, as far as kernels use it.
#pragma once
#include <float.h>
#include <limits.h>
#include <math.h>

namespace std {
template <class T> struct numeric_limits {
    static constexpr bool is_specialized = false;
    __host__ __device__ static constexpr T min() { return T(); }
    __host__ __device__ static constexpr T max() { return T(); }
    __host__ __device__ static constexpr T lowest() { return T(); }
    __host__ __device__ static constexpr T epsilon() { return T(); }
    __host__ __device__ static constexpr T infinity() { return T(); }
    __host__ __device__ static constexpr T quiet_NaN() { return T(); }
};

#define __RECONVERGE_INTEGER(type, least, most, bits, sign) \
    template <> struct numeric_limits<type> { \
        static constexpr bool is_specialized = true; \
        static constexpr bool is_signed = sign; \
        static constexpr bool is_integer = true; \
        static constexpr bool has_infinity = false; \
        static constexpr int digits = bits; \
        __host__ __device__ static constexpr type min() { return least; } \
        __host__ __device__ static constexpr type max() { return most; } \
        __host__ __device__ static constexpr type lowest() { return least; } \
        __host__ __device__ static constexpr type epsilon() { return 0; } \
        __host__ __device__ static constexpr type infinity() { return 0; } \
        __host__ __device__ static constexpr type quiet_NaN() { return 0; } \
    };
#define __RECONVERGE_FLOAT(type, least, most, step, bits) \
    template <> struct numeric_limits<type> { \
        static constexpr bool is_specialized = true; \
        static constexpr bool is_signed = true; \
        static constexpr bool is_integer = false; \
        static constexpr bool has_infinity = true; \
        static constexpr int digits = bits; \
        __host__ __device__ static constexpr type min() { return least; } \
        __host__ __device__ static constexpr type max() { return most; } \
        __host__ __device__ static constexpr type lowest() { return -most; } \
        __host__ __device__ static constexpr type epsilon() { return step; } \
        __host__ __device__ static constexpr type infinity() { return INFINITY; } \
        __host__ __device__ static constexpr type quiet_NaN() { return __builtin_nanf(""); } \
    };
__RECONVERGE_INTEGER(bool, false, true, 1, false)
__RECONVERGE_INTEGER(char, CHAR_MIN, CHAR_MAX, 7, true)
__RECONVERGE_INTEGER(signed char, SCHAR_MIN, SCHAR_MAX, 7, true)
__RECONVERGE_INTEGER(unsigned char, 0, UCHAR_MAX, 8, false)
__RECONVERGE_INTEGER(short, SHRT_MIN, SHRT_MAX, 15, true)
__RECONVERGE_INTEGER(unsigned short, 0, USHRT_MAX, 16, false)
__RECONVERGE_INTEGER(int, INT_MIN, INT_MAX, 31, true)
__RECONVERGE_INTEGER(unsigned int, 0, UINT_MAX, 32, false)
__RECONVERGE_INTEGER(long, LONG_MIN, LONG_MAX, 63, true)
__RECONVERGE_INTEGER(unsigned long, 0, ULONG_MAX, 64, false)
__RECONVERGE_FLOAT(float, FLT_MIN, FLT_MAX, FLT_EPSILON, 24)
__RECONVERGE_FLOAT(double, DBL_MIN, DBL_MAX, DBL_EPSILON, 53)
#undef __RECONVERGE_INTEGER
#undef __RECONVERGE_FLOAT
}
