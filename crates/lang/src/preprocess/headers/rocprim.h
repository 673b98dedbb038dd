// rocPRIM: what threads of a block or warp do together.
#pragma once
#include <reconverge/rocprim_collectives.h>
