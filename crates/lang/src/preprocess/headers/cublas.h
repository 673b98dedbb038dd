// What the libraries of linear algebra bring along: the types of their data. Nothing else of them comes near kernels.
#pragma once
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
