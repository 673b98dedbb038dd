// Operations in a `for` over an object, with a structured binding; each thread goes round as often as its object says.
struct Pair {
  unsigned bit, weight;
};
struct Bits {
  unsigned count;
  struct iterator {
    unsigned at;
    __device__ Pair operator*() const { return {1u << at, at}; }
    __device__ iterator &operator++() {
      ++at;
      return *this;
    }
    __device__ bool operator!=(const iterator &other) const { return at != other.at; }
  };
  __device__ iterator begin() const { return {0}; }
  __device__ iterator end() const { return {count}; }
};
__global__ void k(unsigned *out) {
  unsigned seen = 0;
  for (auto [bit, weight] : Bits{threadIdx.x})
    if (weight < 2)
      seen += bit * 100 * __activemask();
  out[threadIdx.x] = seen;
}
