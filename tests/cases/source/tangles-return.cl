// Who returns early is gone from the tangle; the others stay one.
//
// MODEL: tangles-2024-10
// CLAIM: first => second
// CLAIM: second => ask
// CLAIM: ask => alone
// CLAIM: ask => rest
// CLAIM: first => rest
void first(void);
void second(void);
int ask(void);
void alone(void);
void rest(void);

kernel void early_return(void) {
  first();
  second();
  if (ask()) {
    alone();
    return;
  }
  rest();
}
// conformance: tangles-2024-10/28
