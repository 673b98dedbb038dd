// The target NVPTX.

#define __NVPTX__ 1
#define __PTX__ 1
