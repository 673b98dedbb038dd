// CUDA's matrices that are spread over a warp.
#pragma once
#include <cuda_fp16.h>
#include <cuda_bf16.h>
namespace nvcuda {}
#define __wmma_name nvcuda::wmma
#include <reconverge/matrix_fragments.h>
