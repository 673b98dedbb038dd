// The types of hipFFT's data.
#pragma once
#include <hip/hip_complex.h>
typedef float hipfftReal;
typedef double hipfftDoubleReal;
typedef hipComplex hipfftComplex;
typedef hipDoubleComplex hipfftDoubleComplex;
