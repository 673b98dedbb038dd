// Random numbers of hipRAND.
#pragma once
#include <reconverge/random.h>
__RECONVERGE_RANDOM_STATE(hiprandStateXORWOW)
__RECONVERGE_RANDOM_STATE(hiprandStateMRG32k3a)
__RECONVERGE_RANDOM_STATE(hiprandStatePhilox4_32_10)
__RECONVERGE_RANDOM_STATE(hiprandStateMtgp32)
__RECONVERGE_RANDOM_STATE(hiprandStateSobol32)
typedef hiprandStateXORWOW_t hiprandState_t;
typedef hiprandStateXORWOW_t hiprandState;
typedef unsigned hiprandDirectionVectors32_t[32];
__RECONVERGE_RANDOM(hiprand)
