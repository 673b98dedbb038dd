// The target SPIR-V.

#define __SPIRV__ 1
#define __SPIRV64__ 1
#define __SPIRV 1
#define __SPIRV64 1
