// Operations in a member function of a class template.
template <class T> struct Box {
  T value;
  __device__ unsigned ask() const {
    if (value) return __activemask();
    return 0;
  }
};
__global__ void k(unsigned *out) {
  Box<unsigned> box{threadIdx.x & 1};
  out[threadIdx.x] = box.ask();
}
