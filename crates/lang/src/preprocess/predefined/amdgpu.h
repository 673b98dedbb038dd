// The target AMDGPU: gfx900, wavefronts of 64 threads.

#define __AMD__ 1
#define __AMDGPU__ 1
#define __AMDGCN__ 1
#define __GFX9__ 1
#define __gfx900__ 1
#define __amdgcn_processor__ "gfx900"
#define __HAS_FMAF__ 1
#define __HAS_FP64__ 1
#define __HAS_LDEXPF__ 1
#define FP_FAST_FMA 1
#define FP_FAST_FMAF 1
#define __AMDGCN_WAVEFRONT_SIZE 64
#define __AMDGCN_WAVEFRONT_SIZE__ 64
