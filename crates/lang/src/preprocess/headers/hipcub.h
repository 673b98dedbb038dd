// hipCUB: what threads of a block or warp do together.
#pragma once
#define __cub_name hipcub
#include <reconverge/block_collectives.h>
