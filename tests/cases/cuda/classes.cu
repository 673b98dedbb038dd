// Classes as kernels use them: operators, constructors, bases, templates of classes, functors, conversions.
// RUN: --kernel _Z7classesPfi --grid 2 --block 64 --arg out=f32[128] --arg n=7
#include "device.h"

struct vec {
  float x, y;
  __device__ vec() : x(1), y(2) {}
  __device__ vec(float x, float y = 5) : x(x), y(y) {}
  __device__ vec operator+(const vec &other) const { return vec(x + other.x, y + other.y); }
  __device__ vec operator-() const { return vec(-x, -y); }
  __device__ vec &operator+=(vec other) {
    x += other.x;
    this->y += other.y;
    return *this;
  }
  __device__ float &operator[](int i) { return i ? y : x; }
  __device__ bool operator<(const vec &other) const { return x < other.x; }
  __device__ float sum() const;
  static constexpr int size = 2;
  enum { three = size + 1 };
};

__device__ float vec::sum() const { return x + y; }
__device__ vec operator*(float s, vec v) { return vec(s * v.x, s * v.y); }

template <typename T, int N> struct array {
  using value = T;
  static constexpr int size = N;
  T data[N];
  __device__ T &operator[](int i) { return data[i]; }
  __device__ T total() const {
    T sum = 0;
    for (int i = 0; i < N; ++i)
      sum += data[i];
    return sum;
  }
  template <typename F> __device__ void each(F f) {
    for (int i = 0; i < size; ++i)
      data[i] = f(data[i], i);
  }
};

template <typename T> struct array<T *, 1> {
  T *only;
  __device__ T total() const { return *only; }
};

struct scaled {
  float by;
  __device__ float operator()(float v, int i) const { return v * by + i; }
};

template <typename T> struct counter {
  T count = 3;
  int steps;
  __device__ explicit counter(int steps) : steps(steps) {}
  __device__ counter &operator++() {
    count += steps;
    return *this;
  }
  __device__ operator T() const { return count; }
};

struct shape {
  int edges;
  __device__ shape(int edges) : edges(edges) {}
  __device__ int twice() const { return 2 * edges; }
};

struct square : shape {
  float side;
  __device__ square(float side) : shape(4), side(side) {}
  __device__ float around() const { return twice() * side / 2; }
};

__device__ int edges(const shape &s) { return s.edges; }

template <typename T, int N> __device__ T first_and_last(array<T, N> &a) { return a[0] + a[N - 1]; }

__global__ void classes(float *out, int n) {
  int i = global_x();
  vec a, b(i), c{7, 8};
  vec d = a + b;
  d += 2.0f * -c;
  d[1] += vec::size * vec::three;
  if (b < c)
    d += vec(n);
  array<float, 4> some;
  for (int k = 0; k < some.size; ++k)
    some[k] = k + i;
  some.each(scaled{0.5f});
  float held = 3;
  array<float *, 1> pointing{&held};
  counter<int> steps(n);
  ++steps;
  array<float, 4>::value scale = steps + 1;
  square q(i);
  out[i] = d.sum() + some.total() * scale + first_and_last(some) + pointing.total() + q.around() + edges(q);
}
