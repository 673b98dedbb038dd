// `half2` of CUDA and HIP.
#ifndef __RECONVERGE_FP16
#define __RECONVERGE_FP16
#include <reconverge/half2.h>
__RECONVERGE_PAIRS(half2, half, make_half2)
__RECONVERGE_CONVERSIONS(half2, half, make_half2, half)
#endif
