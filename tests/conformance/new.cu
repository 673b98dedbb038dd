// Operations in constructors of objects that `new` makes in memory that the thread has.
struct Counted {
  unsigned seen;
  __device__ Counted(bool ask) : seen(0) {
    if (ask) seen = __activemask();
  }
};
__global__ void k(unsigned *out) {
  unsigned id = threadIdx.x;
  alignas(4) unsigned char room[sizeof(Counted)];
  Counted *counted = new (room) Counted(id & 1);
  unsigned first = counted->seen;
  if (id < 2) counted = new (room) Counted(true);
  out[id] = first + 100 * counted->seen;
}
