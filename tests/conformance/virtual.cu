// Operations in virtual functions: called through a reference, and by the class of the object.
struct Shape {
  unsigned factor;
  __device__ Shape(unsigned by) : factor(by) {}
  __device__ virtual unsigned seen(bool ask) const { return 0; }
  __device__ virtual unsigned twice(bool ask) const { return 2 * seen(ask); }
};
struct Asking : Shape {
  __device__ Asking(unsigned by) : Shape(by) {}
  __device__ unsigned seen(bool ask) const override {
    if (ask) return factor * __activemask();
    return Shape::seen(ask);
  }
};
__device__ unsigned through(const Shape &shape, bool ask) { return shape.twice(ask); }
__global__ void k(unsigned *out) {
  unsigned id = threadIdx.x;
  Asking asking(1);
  Shape plain(1);
  unsigned seen = through(asking, id & 1) + 1000 * through(plain, true);
  out[id] = seen + 100 * asking.seen(id < 2);
}
