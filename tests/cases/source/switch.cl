// A switch with a case that runs into the next one.
//
// CLAIM: choose => one
// CLAIM: choose => two
// CLAIM: choose => three
// CLAIM: two => three
// CLAIM: one => last
// CLAIM: three => last
void start(void);
int choose(void);
void one(void);
void two(void);
void three(void);
void last(void);

kernel void cases(void) {
  start();
  switch (choose()) {
  case 1:
    one();
    break;
  case 2:
    two();
    // on into the next one
  case 3:
    three();
  }
  last();
}
// conformance: clang-2025-04/48, 48a
