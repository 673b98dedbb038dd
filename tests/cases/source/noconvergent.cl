// A statement marked noconvergent: whether threads are together at its start is for the implementation to choose; inside, and behind
// it, the usual rules hold.
//
// UNDEFINED: inside1 inside2
// CLAIM: inside1 => inside2
// CLAIM: start => last
void start(void);
void inside1(void);
void inside2(void);
void last(void);

kernel void apart(void) {
  start();
  [[clang::noconvergent]] {
    inside1();
    inside2();
  }
  last();
}
// conformance: clang-2025-04/50, 51
