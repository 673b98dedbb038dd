// A jump out of a loop: at the label are the tangles of those who jumped in each iteration, and that of those who left the loop.
//
// MODEL: tangles-2024-10
// CLAIM: again => one
// CLAIM: one => two
// CLAIM: start => behind
// UNDEFINED: at_label
// CLAIM: start => last
void start(void);
int again(void);
void one(void);
int jump(void);
void two(void);
void behind(void);
void at_label(void);
void last(void);

kernel void goto_out_of_loop(void) {
  {
    start();
    for (; again();) {
      one();
      if (jump())
        goto target;
      two();
    }
    behind();
  target:
    at_label();
  }
  last();
}
// conformance: tangles-2024-10/31
