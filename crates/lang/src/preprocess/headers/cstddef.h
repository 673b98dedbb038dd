// Sizes, also in the namespace.
#pragma once
#include <stddef.h>

namespace std {
typedef unsigned long size_t;
typedef long ptrdiff_t;
}
