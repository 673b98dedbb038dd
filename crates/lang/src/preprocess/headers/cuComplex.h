// Complex numbers of CUDA.
#pragma once
#include <reconverge/complex.h>
typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;
__RECONVERGE_COMPLEX(cuFloatComplex, float, cu, f)
__RECONVERGE_COMPLEX(cuDoubleComplex, double, cu, )
__host__ __device__ inline cuComplex make_cuComplex(float __x, float __y) { return make_cuFloatComplex(__x, __y); }
__host__ __device__ inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex __a) {
  return make_cuDoubleComplex(__a.x, __a.y);
}
__host__ __device__ inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex __a) {
  return make_cuFloatComplex((float)__a.x, (float)__a.y);
}
