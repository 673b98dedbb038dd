// `continue` and `break`: who goes on is together again where the next iteration begins, who leaves, behind the loop.
//
// CLAIM: first => second
// CLAIM: second => again
// CLAIM: again => one
// CLAIM: one => two
// CLAIM: two => three
// CLAIM: one => again
// CLAIM: two => again
// CLAIM: three => again
// CLAIM: second => last
// CLAIM: one => last
void first(void);
void second(void);
int again(void);
void one(void);
int skip(void);
void two(void);
int stop(void);
void three(void);
void last(void);

kernel void iterations(void) {
  first();
  second();
  while (again()) {
    one();
    if (skip())
      continue;
    two();
    if (stop())
      break;
    three();
  }
  last();
}
// conformance: clang-2025-04/41, 41a, 41b, 41c, 41d, 41e
