// rocWMMA: matrices that are spread over a wave.
#pragma once
#include <hip/hip_fp16.h>
#define __wmma_name rocwmma
#include <reconverge/matrix_fragments.h>
