// HIP's floats of 8 bits, those that are also CUDA's.
#pragma once
#include <reconverge/fp8.h>
__RECONVERGE_FP8(__hip, __HIP)
