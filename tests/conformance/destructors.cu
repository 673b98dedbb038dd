// Operations in destructors, at every way out of a block.
struct Part {
  unsigned *at;
  __device__ Part(unsigned *to) : at(to) {}
  __device__ ~Part() { *at += __activemask(); }
};
struct Whole {
  Part part;
  unsigned *all;
  __device__ Whole(unsigned *to) : part(to), all(to) {}
  __device__ ~Whole() { *all += 1000 * __activemask(); }
};
__device__ unsigned early(unsigned *to, bool leave) {
  Whole whole(to);
  if (leave) return *to;
  *to += 50;
  return *to;
}
__global__ void k(unsigned *out, unsigned *left) {
  unsigned *mine = out + threadIdx.x;
  for (int i = 0; i < 2; i++) {
    Part part(mine);
    if (threadIdx.x == 3) break;
  }
  left[threadIdx.x] = early(mine, threadIdx.x < 2);
}
