// CUDA, for the device. Clang and nvcc agree on these.

#define __CUDACC__ 1
#define __CUDA__ 1

// nvcc has the word for a function's qualifiers in a header that is always included.
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0
#define CUDART_VERSION 12000
#define CUDA_VERSION 12000
