// `__nv_bfloat162` and `__hip_bfloat162`.
#pragma once
#include <reconverge/half2.h>
__RECONVERGE_PAIRS(__nv_bfloat162, __nv_bfloat16, make_bfloat162)
__RECONVERGE_CONVERSIONS(__nv_bfloat162, __nv_bfloat16, make_bfloat162, bfloat16)
