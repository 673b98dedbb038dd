// What the headers of CUDA bring into every file, as far as kernels use it: the rest is in headers of clang.
#define CUDA_VERSION 12000
#define __builtin_align__(n) __attribute__((aligned(n)))
#define INT_MAX __INT_MAX__
#define INT_MIN (-__INT_MAX__ - 1)
#define HUGE_VAL __builtin_huge_val()
#define HUGE_VALF __builtin_huge_valf()
typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;

#include <__clang_cuda_builtin_vars.h>
#include <__clang_cuda_libdevice_declares.h>
#include <__clang_cuda_device_functions.h>
// For processors from here on it includes a header of CUDA.
#pragma push_macro("__CUDA_ARCH__")
#undef __CUDA_ARCH__
#define __CUDA_ARCH__ 600
#include <__clang_cuda_intrinsics.h>
#pragma pop_macro("__CUDA_ARCH__")
#if __CUDA_ARCH__ >= 700
__reconverge unsigned __match_any_sync(unsigned mask, unsigned value) { return __nvvm_match_any_sync_i32(mask, value); }
__reconverge unsigned __match_any_sync(unsigned mask, unsigned long long value) { return __nvvm_match_any_sync_i64(mask, value); }
__reconverge unsigned __match_all_sync(unsigned mask, unsigned value, int *all) { return __nvvm_match_all_sync_i32p(mask, value, all); }
__reconverge unsigned __match_all_sync(unsigned mask, unsigned long long value, int *all) { return __nvvm_match_all_sync_i64p(mask, value, all); }
#endif
#include <__clang_cuda_math.h>

typedef struct CUstream_st *cudaStream_t;
// What a launch calls, for a clang that was not told which CUDA there is.
extern "C" __host__ int cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = 0);
