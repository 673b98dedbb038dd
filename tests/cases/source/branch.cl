// Statements in sequence, and a branch: its sides part the threads, its end brings them back.
//
// CLAIM: first => second
// CLAIM: second => ask
// CLAIM: ask => left1
// CLAIM: left1 => left2
// CLAIM: ask => right
// CLAIM: left2 => last
// CLAIM: right => last
// CLAIM: first => last
void first(void);
void second(void);
int ask(void);
void left1(void);
void left2(void);
void right(void);
void last(void);

kernel void branch(void) {
  first();
  second();
  if (ask()) {
    left1();
    left2();
  } else {
    right();
  }
  last();
}
// conformance: clang-2025-04/3, 31, 32, 32a, 32b, 32c
