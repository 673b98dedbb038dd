// Two numbers of 16 bits at a time, as CUDA and HIP have them. Functions on one number and operators are built in. A function is part of a
// program once something calls it.
#pragma once

#define __RECONVERGE_LIBRARY __attribute__((reconverge_library)) static __device__ __inline__

// For both components.
#define __RECONVERGE_EACH_1(vector, make, name, function) \
    __RECONVERGE_LIBRARY vector name(const vector v) { return make(function(v.x), function(v.y)); }
#define __RECONVERGE_EACH_2(vector, make, name, function) \
    __RECONVERGE_LIBRARY vector name(const vector v, const vector w) { return make(function(v.x, w.x), function(v.y, w.y)); }
#define __RECONVERGE_COMPARED(vector, number, make, name) \
    __RECONVERGE_LIBRARY vector __h##name##2(const vector v, const vector w) { \
        return make((number)(__h##name(v.x, w.x) ? 1.0f : 0.0f), (number)(__h##name(v.y, w.y) ? 1.0f : 0.0f)); \
    } \
    __RECONVERGE_LIBRARY bool __hb##name##2(const vector v, const vector w) { return __h##name(v.x, w.x) && __h##name(v.y, w.y); }

// One shuffle of both components.
#define __RECONVERGE_SHUFFLED(vector, name, mask, lane) \
    __RECONVERGE_LIBRARY __attribute__((expanded)) vector name##_sync(const mask threads, const vector v, const lane by, const int width = warpSize) { \
        vector r = v; \
        *(unsigned *)&r = name##_sync(threads, *(unsigned *)&r, by, width); \
        return r; \
    } \
    __RECONVERGE_LIBRARY __attribute__((expanded)) vector name(const vector v, const lane by, const int width = warpSize) { \
        vector r = v; \
        *(unsigned *)&r = name(*(unsigned *)&r, by, width); \
        return r; \
    }
#ifdef __HIP__
#define __RECONVERGE_MASK unsigned long long
#else
#define __RECONVERGE_MASK unsigned
#endif

#define __RECONVERGE_PAIRS(vector, number, make) \
    __RECONVERGE_SHUFFLED(vector, __shfl, __RECONVERGE_MASK, int) \
    __RECONVERGE_SHUFFLED(vector, __shfl_up, __RECONVERGE_MASK, unsigned) \
    __RECONVERGE_SHUFFLED(vector, __shfl_down, __RECONVERGE_MASK, unsigned) \
    __RECONVERGE_SHUFFLED(vector, __shfl_xor, __RECONVERGE_MASK, int) \
    __RECONVERGE_EACH_2(vector, make, __hmax2_nan, __hmax_nan) \
    __RECONVERGE_EACH_2(vector, make, __hmin2_nan, __hmin_nan) \
    __RECONVERGE_EACH_2(vector, make, __hadd2, __hadd) \
    __RECONVERGE_EACH_2(vector, make, __hsub2, __hsub) \
    __RECONVERGE_EACH_2(vector, make, __hmul2, __hmul) \
    __RECONVERGE_EACH_2(vector, make, __hadd2_rn, __hadd) \
    __RECONVERGE_EACH_2(vector, make, __hsub2_rn, __hsub) \
    __RECONVERGE_EACH_2(vector, make, __hmul2_rn, __hmul) \
    __RECONVERGE_EACH_2(vector, make, __hadd2_sat, __hadd_sat) \
    __RECONVERGE_EACH_2(vector, make, __hsub2_sat, __hsub_sat) \
    __RECONVERGE_EACH_2(vector, make, __hmul2_sat, __hmul_sat) \
    __RECONVERGE_EACH_2(vector, make, __h2div, hdiv) \
    __RECONVERGE_EACH_2(vector, make, __hmax2, __hmax) \
    __RECONVERGE_EACH_2(vector, make, __hmin2, __hmin) \
    __RECONVERGE_EACH_1(vector, make, __hneg2, __hneg) \
    __RECONVERGE_EACH_1(vector, make, __habs2, __habs) \
    __RECONVERGE_EACH_1(vector, make, h2sqrt, hsqrt) \
    __RECONVERGE_EACH_1(vector, make, h2rsqrt, hrsqrt) \
    __RECONVERGE_EACH_1(vector, make, h2rcp, hrcp) \
    __RECONVERGE_EACH_1(vector, make, h2exp, hexp) \
    __RECONVERGE_EACH_1(vector, make, h2exp2, hexp2) \
    __RECONVERGE_EACH_1(vector, make, h2exp10, hexp10) \
    __RECONVERGE_EACH_1(vector, make, h2log, hlog) \
    __RECONVERGE_EACH_1(vector, make, h2log2, hlog2) \
    __RECONVERGE_EACH_1(vector, make, h2log10, hlog10) \
    __RECONVERGE_EACH_1(vector, make, h2sin, hsin) \
    __RECONVERGE_EACH_1(vector, make, h2cos, hcos) \
    __RECONVERGE_EACH_1(vector, make, h2tanh, htanh) \
    __RECONVERGE_EACH_1(vector, make, h2ceil, hceil) \
    __RECONVERGE_EACH_1(vector, make, h2floor, hfloor) \
    __RECONVERGE_EACH_1(vector, make, h2trunc, htrunc) \
    __RECONVERGE_EACH_1(vector, make, h2rint, hrint) \
    __RECONVERGE_COMPARED(vector, number, make, eq) \
    __RECONVERGE_COMPARED(vector, number, make, ne) \
    __RECONVERGE_COMPARED(vector, number, make, lt) \
    __RECONVERGE_COMPARED(vector, number, make, le) \
    __RECONVERGE_COMPARED(vector, number, make, gt) \
    __RECONVERGE_COMPARED(vector, number, make, ge) \
    __RECONVERGE_COMPARED(vector, number, make, equ) \
    __RECONVERGE_COMPARED(vector, number, make, neu) \
    __RECONVERGE_COMPARED(vector, number, make, ltu) \
    __RECONVERGE_COMPARED(vector, number, make, leu) \
    __RECONVERGE_COMPARED(vector, number, make, gtu) \
    __RECONVERGE_COMPARED(vector, number, make, geu) \
    __RECONVERGE_LIBRARY vector __hfma2(const vector v, const vector w, const vector z) { \
        return make(__hfma(v.x, w.x, z.x), __hfma(v.y, w.y, z.y)); \
    } \
    __RECONVERGE_LIBRARY vector __hfma2_sat(const vector v, const vector w, const vector z) { \
        return make(__hfma_sat(v.x, w.x, z.x), __hfma_sat(v.y, w.y, z.y)); \
    } \
    __RECONVERGE_LIBRARY vector __hfma2_relu(const vector v, const vector w, const vector z) { \
        return make(__hfma_relu(v.x, w.x, z.x), __hfma_relu(v.y, w.y, z.y)); \
    } \
    __RECONVERGE_LIBRARY vector __hisnan2(const vector v) { \
        return make((number)(__hisnan(v.x) ? 1.0f : 0.0f), (number)(__hisnan(v.y) ? 1.0f : 0.0f)); \
    } \
    __RECONVERGE_LIBRARY vector __hcmadd(const vector v, const vector w, const vector z) { \
        return make(__hfma(-v.y, w.y, __hfma(v.x, w.x, z.x)), __hfma(v.y, w.x, __hfma(v.x, w.y, z.y))); \
    } \
    __RECONVERGE_LIBRARY float __low2float(const vector v) { return (float)v.x; } \
    __RECONVERGE_LIBRARY float __high2float(const vector v) { return (float)v.y; } \
    __RECONVERGE_LIBRARY vector __lowhigh2highlow(const vector v) { return make(v.y, v.x); }

// The conversions, which have the type in their names.
#define __RECONVERGE_CONVERSIONS(vector, number, make, name) \
    __RECONVERGE_LIBRARY vector __##name##2##name##2(const number x) { return make(x, x); } \
    __RECONVERGE_LIBRARY vector __halves2##name##2(const number x, const number y) { return make(x, y); } \
    __RECONVERGE_LIBRARY number __low2##name(const vector v) { return v.x; } \
    __RECONVERGE_LIBRARY number __high2##name(const vector v) { return v.y; } \
    __RECONVERGE_LIBRARY vector __low2##name##2(const vector v) { return make(v.x, v.x); } \
    __RECONVERGE_LIBRARY vector __high2##name##2(const vector v) { return make(v.y, v.y); } \
    __RECONVERGE_LIBRARY vector __lows2##name##2(const vector v, const vector w) { return make(v.x, w.x); } \
    __RECONVERGE_LIBRARY vector __highs2##name##2(const vector v, const vector w) { return make(v.y, w.y); } \
    __RECONVERGE_LIBRARY vector __float2##name##2_rn(const float x) { return make((number)x, (number)x); } \
    __RECONVERGE_LIBRARY vector __floats2##name##2_rn(const float x, const float y) { return make((number)x, (number)y); } \
    __RECONVERGE_LIBRARY vector __float22##name##2_rn(const float2 v) { return make((number)v.x, (number)v.y); } \
    __RECONVERGE_LIBRARY float2 __##name##22float2(const vector v) { return make_float2((float)v.x, (float)v.y); }
