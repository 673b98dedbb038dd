// A loop that is left from inside of a condition: threads leave in different iterations, so they are not together at `leaving`, but are
// behind the loop. The graph does not show that `leaving` is in the loop.
//
// RUN: --block 2 --arg 'turns=u32[2]{0,1}'
// CLAIM: start => last
// CLAIM: leaving => last
void start(void);
void body(void);
void leaving(void);
void last(void);

kernel void divergent_exit(global const uint *turns) {
  start();
  for (uint turn = 0;; turn++) {
    body();
    if (turn == turns[get_local_id(0)]) {
      leaving();
      break;
    }
  }
  last();
}
// conformance: clang-2025-04/63
