// An operation with an explicit mask, reached by two calls: under one reading the calls keep threads apart, under the other one threads
// with the same mask meet, whichever call they came from.
//
// RUN: --block 4 --subgroup 4 --arg 'out=u32[4]'
__device__ __noinline__ unsigned with_mask(unsigned mask) { return __ballot_sync(mask, 1); }

__global__ void thread_masks(unsigned *out) {
  unsigned mask = __activemask(), result;
  if (threadIdx.x & 1)
    result = with_mask(mask);
  else
    result = with_mask(mask);
  out[threadIdx.x] = result;
}
