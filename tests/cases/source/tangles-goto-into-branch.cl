// A jump into the other side of a branch: the tangle of the jump and that of the branch are unrelated at the label.
//
// MODEL: tangles-2024-10
// CLAIM: ask1 => jumps
// CLAIM: ask2 => left
// UNDEFINED: at_label
// CLAIM: ask1 => last
// CLAIM: left => last
// CLAIM: at_label => last
int ask1(void);
void jumps(void);
int ask2(void);
void left(void);
void at_label(void);
void last(void);

kernel void goto_into_branch(void) {
  {
    if (ask1()) {
      jumps();
      goto target;
    }
    if (ask2()) {
      left();
    } else {
    target:
      at_label();
    }
  }
  last();
}
// conformance: tangles-2024-10/22a, 24, 29
