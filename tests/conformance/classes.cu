// Operations in a constructor, a member function and an operator.
struct Counted {
  unsigned seen;
  unsigned *place;
  __device__ Counted(unsigned *to, bool ask) : seen(0), place(to) {
    if (ask) seen = __activemask();
  }
  __device__ unsigned member(bool ask) const {
    if (ask) return __activemask();
    return 0;
  }
  __device__ unsigned operator+(bool ask) const { return ask ? __activemask() : 0u; }
};
__global__ void k(unsigned *out) {
  Counted one(out + threadIdx.x, threadIdx.x & 1);
  out[threadIdx.x] = one.seen + 20u * one.member(threadIdx.x == 2) + 100u * (one + (threadIdx.x < 2));
}
