// The same operation, with the same mask, at two places of the text.
extern "C" __global__ void branches(unsigned *out) {
  unsigned votes;
  if (threadIdx.x & 1)
    votes = __ballot_sync(15, 1);
  else
    votes = __ballot_sync(15, 1);
  out[threadIdx.x] = votes;
}

// Half of the threads that the mask names never vote.
extern "C" __global__ void half(unsigned *out) {
  if (threadIdx.x & 1)
    out[threadIdx.x] = __ballot_sync(15, 1);
}

// Others are waited for at another operation.
extern "C" __global__ void crossed(unsigned *out) {
  if (threadIdx.x & 1)
    out[threadIdx.x] = __ballot_sync(15, 1);
  else
    out[threadIdx.x] = __any_sync(15, 1);
}
