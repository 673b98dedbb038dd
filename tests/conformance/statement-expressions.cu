// Operations in a statement that is an expression, and behind it.
#define least(a, b) ({ auto x = (a); auto y = (b); x < y ? x : y; })
__global__ void k(unsigned *out) {
  unsigned id = threadIdx.x;
  unsigned together = ({
    unsigned seen = 0;
    if (id & 1)
      seen = __activemask();
    seen;
  });
  switch (unsigned asked = least(id, 2u); asked) {
  case 2:
    together += 100 * __activemask();
  }
  out[id] = together + 1000 * __activemask();
}
