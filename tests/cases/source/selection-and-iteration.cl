// The rule of inner and outer statements: of a selection, those that its condition sends there; of an iteration, those of the one before
// that come again.
//
// MODEL: clang-2025-08
// CLAIM: start => ask
// CLAIM: ask => chosen
// CLAIM: again => work
// CLAIM: work => again
// CLAIM: start => last
void start(void);
int ask(void);
void chosen(void);
int again(void);
void work(void);
void last(void);

kernel void selection_and_iteration(void) {
  start();
  if (ask())
    chosen();
  while (again())
    work();
  last();
}
// conformance: clang-2025-08/6, 8
