// A loop with two `continue`: for one thread the same as the nest in ambiguous-nest.cl, for several it is not. Thread 0 skips `two` once,
// thread 1 comes to it twice.
//
// RUN: --block 2 --arg 'turns=u32[2]{2,2}' --arg 'skips=u32[2]{1,0}'
void one(void);
void two(void);
void last(void);

kernel void loop_continue(global const uint *turns, global const uint *skips) {
  uint id = get_local_id(0), skip = skips[id], turn = turns[id];
  for (;;) {
    one();
    turn--;
    if (skip) {
      skip--;
      continue;
    }
    two();
    if (turn)
      continue;
    break;
  }
  last();
}
