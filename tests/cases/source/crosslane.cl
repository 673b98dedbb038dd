// An operation of several threads under a condition: those communicate for which it holds, and nobody else.
//
// CLAIM: top => inside
// CLAIM: top => below
// CLAIM: inside => below
void top(void);
void inside(void);
void below(void);
int wanted(void);

kernel void under_a_condition(void) {
  top();
  if (wanted())
    inside();
  below();
}
// conformance: clang-2025-04/1
