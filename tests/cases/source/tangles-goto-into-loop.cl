// A jump into a loop: the tangles of the iterations come in two sequences, one of those who jumped, one of those who did not.
//
// MODEL: tangles-2024-10
// CLAIM: ask => jumps
// UNDEFINED: again one at_label
// CLAIM: one => at_label
// CLAIM: ask => last
int ask(void);
void jumps(void);
int again(void);
void one(void);
void at_label(void);
void last(void);

kernel void goto_into_loop(void) {
  {
    if (ask()) {
      jumps();
      goto target;
    }
    for (; again();) {
      one();
    target:
      at_label();
    }
  }
  last();
}
// conformance: tangles-2024-10/30
