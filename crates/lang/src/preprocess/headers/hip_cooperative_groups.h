// What HIP calls the header.
#pragma once
#include <cooperative_groups.h>
