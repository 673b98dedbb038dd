// Types of the runtimes of CUDA and HIP that come near kernels, and what kernels may call of C's library. Names begin with what is given.
#pragma once
#include <stddef.h>

typedef long ssize_t;

#define __RECONVERGE_RUNTIME(__p) \
  enum __p##Error_t { __p##Success = 0, __p##ErrorInvalidValue = 1, __p##ErrorUnknown = 999 }; \
  typedef struct __p##StreamData *__p##Stream_t; \
  typedef struct __p##EventData *__p##Event_t; \
  typedef struct __p##GraphData *__p##Graph_t; \
  typedef struct __p##ArrayData *__p##Array_t; \
  typedef unsigned long long __p##GraphConditionalHandle; \
  enum __p##MemcpyKind { \
    __p##MemcpyHostToHost, __p##MemcpyHostToDevice, __p##MemcpyDeviceToHost, __p##MemcpyDeviceToDevice, __p##MemcpyDefault \
  }; \
  struct __p##Extent { size_t width, height, depth; }; \
  struct __p##Pos { size_t x, y, z; }; \
  struct __p##PitchedPtr { void *ptr; size_t pitch, xsize, ysize; };
