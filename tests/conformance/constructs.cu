// if and switch with declarations, if constexpr, templates of functions, default arguments, recursion, an inline namespace.
template <typename T> __device__ T sum(T value, T more = 1) {
  if constexpr (sizeof(T) == 4)
    return value + more;
  else
    return value;
}

inline namespace current { __device__ unsigned depth(unsigned n) { return n == 0 ? __popc(__activemask()) : depth(n - 1); } }

__global__ void constructs(unsigned *out) {
  unsigned id = threadIdx.x;
  if (unsigned odd = id & 1; odd)
    out[id] = __popc(__activemask());
  else
    switch (unsigned half = id / 2) {
    case 0: out[id] = 10 + __popc(__activemask()); break;
    default: out[id] = 20 + __popc(__activemask());
    }
  out[id] += 100 * depth(sum(id));
}
