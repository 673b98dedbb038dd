// What CUDA's compiler includes of itself: qualifiers, vectors, and functions of the device are built in.
#pragma once
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <reconverge/runtime_types.h>
#include <reconverge/clusters.h>
__RECONVERGE_RUNTIME(cuda)
