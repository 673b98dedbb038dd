// `__nv_bfloat162` and `__hip_bfloat162`.
#ifndef __RECONVERGE_BF16
#define __RECONVERGE_BF16
#include <reconverge/half2.h>
__RECONVERGE_PAIRS(__nv_bfloat162, __nv_bfloat16, make_bfloat162)
__RECONVERGE_CONVERSIONS(__nv_bfloat162, __nv_bfloat16, make_bfloat162, bfloat16)
#endif
