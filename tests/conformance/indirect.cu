// A call through a pointer: who calls together starts together.
__device__ __noinline__ unsigned count_together(unsigned id) { return __popc(__activemask()); }

__device__ unsigned (*chosen)(unsigned) = count_together;

__global__ void indirect(unsigned *out) {
  unsigned id = threadIdx.x;
  out[id] = 0;
  if (id != 0)
    out[id] = chosen(id);
}
