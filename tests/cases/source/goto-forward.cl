// A jump ahead in one iteration: who jumps and who does not are together at the label.
//
// CLAIM: one => two
// CLAIM: two => at_label
// CLAIM: one => at_label
// CLAIM: again => at_label
// CLAIM: at_label => three
// CLAIM: start => last
void start(void);
int again(void);
void one(void);
int jump(void);
void two(void);
void at_label(void);
void three(void);
void last(void);

kernel void goto_forward(void) {
  start();
  while (again()) {
    one();
    if (jump())
      goto ahead;
    two();
  ahead:
    at_label();
    three();
  }
  last();
}
// conformance: clang-2025-04/45, 47, 47a, 47b
