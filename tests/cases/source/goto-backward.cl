// A loop made of a jump back, which another jump enters in the middle.
//
// UNDEFINED: one two ask leave five more
// CLAIM: ask => leave
// CLAIM: start => last
// CLAIM: start => outside
// CLAIM: middle => last
// CLAIM: middle => outside
void start(void);
int jump(void);
void middle(void);
void one(void);
void two(void);
int ask(void);
void leave(void);
void five(void);
int more(void);
void last(void);
void outside(void);

kernel void goto_backward(void) {
  start();
  if (jump())
    goto within;
  middle();
back:
  one();
within:
  two();
  if (ask()) {
    leave();
    goto out;
  }
  five();
  if (more())
    goto back;
  last();
out:
  outside();
}
// conformance: clang-2025-04/46, 49, 49a, 49b, 49c
