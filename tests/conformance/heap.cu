// Objects that threads ask for while they run, and give back.
struct Link {
  int value;
  Link *next;
  __device__ Link(int value, Link *next) : value(value), next(next) {}
};

__global__ void heap(int *out) {
  int i = threadIdx.x;
  Link *chain = nullptr;
  for (int k = 0; k <= i % 3; ++k)
    chain = new Link(__popc(__activemask()), chain);
  int sum = 0;
  while (chain) {
    sum = 10 * sum + chain->value;
    Link *next = chain->next;
    delete chain;
    chain = next;
  }
  out[i] = sum + 1000 * __popc(__activemask());
}
