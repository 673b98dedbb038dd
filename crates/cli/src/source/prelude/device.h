// What the headers of CUDA and HIP have in common.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#define __reconverge static inline __attribute__((device))

typedef __SIZE_TYPE__ size_t;
typedef __INT8_TYPE__ int8_t;
typedef __INT16_TYPE__ int16_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;

#define __reconverge_vectors(type, name, align)                                                                   \
  struct name##1 { type x; };                                                                                     \
  struct __attribute__((aligned(2 * align))) name##2 { type x, y; };                                              \
  struct name##3 { type x, y, z; };                                                                               \
  struct __attribute__((aligned(4 * align > 16 ? 16 : 4 * align))) name##4 { type x, y, z, w; };                  \
  static inline __device__ __host__ name##1 make_##name##1(type x) { name##1 v = {x}; return v; }                 \
  static inline __device__ __host__ name##2 make_##name##2(type x, type y) { name##2 v = {x, y}; return v; }      \
  static inline __device__ __host__ name##3 make_##name##3(type x, type y, type z) { name##3 v = {x, y, z}; return v; } \
  static inline __device__ __host__ name##4 make_##name##4(type x, type y, type z, type w) { name##4 v = {x, y, z, w}; return v; }
__reconverge_vectors(signed char, char, 1)
__reconverge_vectors(unsigned char, uchar, 1)
__reconverge_vectors(short, short, 2)
__reconverge_vectors(unsigned short, ushort, 2)
__reconverge_vectors(int, int, 4)
__reconverge_vectors(unsigned, uint, 4)
__reconverge_vectors(long long, longlong, 8)
__reconverge_vectors(unsigned long long, ulonglong, 8)
__reconverge_vectors(float, float, 4)
__reconverge_vectors(double, double, 8)
#undef __reconverge_vectors
struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
};

extern "C" __device__ int printf(const char *, ...);
extern "C" __device__ void *malloc(size_t);
extern "C" __device__ void free(void *);
extern "C" __device__ void __assert_fail(const char *, const char *, unsigned, const char *) noexcept(true) __attribute__((noreturn));

#define __reconverge_extremes(type)                               \
  __reconverge type min(type x, type y) { return y < x ? y : x; } \
  __reconverge type max(type x, type y) { return x < y ? y : x; }
__reconverge_extremes(unsigned)
__reconverge_extremes(long)
__reconverge_extremes(unsigned long)
__reconverge_extremes(long long)
__reconverge_extremes(unsigned long long)

#define __reconverge_atomic(type, name, function) \
  __reconverge type name(type *p, type x) { return function(p, x, __ATOMIC_RELAXED); }
#define __reconverge_atomics(type)                           \
  __reconverge_atomic(type, atomicAdd, __atomic_fetch_add)   \
  __reconverge_atomic(type, atomicSub, __atomic_fetch_sub)   \
  __reconverge_atomic(type, atomicMin, __atomic_fetch_min)   \
  __reconverge_atomic(type, atomicMax, __atomic_fetch_max)   \
  __reconverge_atomic(type, atomicAnd, __atomic_fetch_and)   \
  __reconverge_atomic(type, atomicOr, __atomic_fetch_or)     \
  __reconverge_atomic(type, atomicXor, __atomic_fetch_xor)   \
  __reconverge_atomic(type, atomicExch, __atomic_exchange_n) \
  __reconverge type atomicCAS(type *p, type from, type to) { \
    __atomic_compare_exchange_n(p, &from, to, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
    return from;                                             \
  }
__reconverge_atomics(int)
__reconverge_atomics(unsigned)
__reconverge_atomics(long long)
__reconverge_atomics(unsigned long long)
__reconverge_atomic(float, atomicAdd, __atomic_fetch_add)
__reconverge_atomic(double, atomicAdd, __atomic_fetch_add)
