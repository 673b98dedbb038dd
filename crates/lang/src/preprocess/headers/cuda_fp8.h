// CUDA's floats of 8 bits.
#pragma once
#include <reconverge/fp8.h>
__RECONVERGE_FP8(__nv, __NV)
