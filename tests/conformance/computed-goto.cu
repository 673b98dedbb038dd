// Operations at labels that a computed goto goes to, by a table: who goes there together is together there.
__global__ void k(unsigned *out) {
  static void *const table[] = {&&even, &&odd, &&last};
  unsigned id = threadIdx.x, seen = 0;
  goto *table[id == 3 ? 2 : id & 1];
even:
  seen = __activemask();
  goto last;
odd:
  seen = 10 * __activemask();
last:
  out[id] = seen + 100 * __activemask();
}
