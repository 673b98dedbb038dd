// Threads reach one operation with equal masks in different iterations of a loop.
__global__ void masks_in_loop(unsigned *out) {
  unsigned last = threadIdx.x & 1;
  for (unsigned turn = 0; turn < 2; turn++)
    if (turn == last)
      out[threadIdx.x] = __ballot_sync(15, 1);
}
