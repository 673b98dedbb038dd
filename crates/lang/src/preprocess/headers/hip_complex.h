// Complex numbers of HIP.
#pragma once
#include <reconverge/complex.h>
typedef float2 hipFloatComplex;
typedef double2 hipDoubleComplex;
typedef hipFloatComplex hipComplex;
__RECONVERGE_COMPLEX(hipFloatComplex, float, hip, f)
__RECONVERGE_COMPLEX(hipDoubleComplex, double, hip, )
__host__ __device__ inline hipComplex make_hipComplex(float __x, float __y) { return make_hipFloatComplex(__x, __y); }
