// A jump into a loop: it has two ways in, so who is together in it is for the implementation to choose.
//
// UNDEFINED: again one two ask leave five
// CLAIM: ask => leave
// CLAIM: start => last
// CLAIM: start => outside
// CLAIM: middle => last
// CLAIM: middle => outside
void start(void);
int jump(void);
void middle(void);
int again(void);
void one(void);
void two(void);
int ask(void);
void leave(void);
void five(void);
void last(void);
void outside(void);

kernel void jump_into_loop(void) {
  start();
  if (jump())
    goto within;
  middle();
  while (again()) {
    one();
  within:
    two();
    if (ask()) {
      leave();
      goto out;
    }
    five();
  }
  last();
out:
  outside();
}
// conformance: clang-2025-04/40, 42, 42a, 42b, 42c
