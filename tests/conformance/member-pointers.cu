// Operations in functions that pointers to members say, one of them virtual; and data of an object, by a pointer to a member.
struct Counter {
  unsigned factor;
  unsigned other;
  __device__ Counter(unsigned by) : factor(by), other(10 * by) {}
  __device__ unsigned all(bool ask) { return factor * __activemask(); }
  __device__ unsigned some(bool ask) {
    unsigned seen = 0;
    if (ask) seen = __activemask();
    return other * seen;
  }
  __device__ virtual unsigned late(bool ask) { return 0; }
};
struct Derived : Counter {
  __device__ Derived(unsigned by) : Counter(by) {}
  __device__ unsigned late(bool ask) override { return ask ? __activemask() : 0; }
};
typedef unsigned (Counter::*Count)(bool);
__device__ unsigned through(Counter *counter, Count count, bool ask) { return (counter->*count)(ask); }
__global__ void k(unsigned *out) {
  unsigned id = threadIdx.x;
  Derived counter(1);
  Count count = id < 3 ? &Counter::some : &Counter::all;
  unsigned seen = (counter.*count)(id & 1);
  if (id != 1) seen += 1000 * through(&counter, &Counter::late, id > 1);
  unsigned Counter::*which = id & 1 ? &Counter::factor : &Counter::other;
  out[id] = seen + 100000 * counter.*which;
}
