// A call of a function that is marked noconvergent: who is together in it is up to the implementation.
void operation(void);
__attribute__((noconvergent)) void apart(void);

void apart(void) { operation(); }

kernel void calls_apart(void) {
  operation();
  apart();
  operation();
}
