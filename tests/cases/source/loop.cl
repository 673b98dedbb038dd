// A loop in a sequence: threads are together where it begins and where it ended, however often each went round.
//
// CLAIM: first => second
// CLAIM: second => last
// CLAIM: first => last
// CLAIM: again => work1
// CLAIM: work1 => work2
// CLAIM: work2 => again
void first(void);
void second(void);
int again(void);
void work1(void);
void work2(void);
void last(void);

kernel void loop(void) {
  first();
  second();
  while (again()) {
    work1();
    work2();
  }
  last();
}
// conformance: clang-2025-04/33, 37, 38, 39
