// CUB: what threads of a block or warp do together.
#pragma once
#define __cub_name cub
#include <reconverge/block_collectives.h>
