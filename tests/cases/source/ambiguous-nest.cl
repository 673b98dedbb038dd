// Two loops, one in the other: for one thread the same as the loop in ambiguous-continue.cl, for several it is not.
//
// RUN: --block 2 --arg 'turns=u32[2]{2,2}' --arg 'skips=u32[2]{1,0}'
void one(void);
void two(void);
void last(void);

kernel void loop_nest(global const uint *turns, global const uint *skips) {
  uint id = get_local_id(0), skip = skips[id], turn = turns[id];
  do {
    do {
      one();
      turn--;
    } while (skip && skip--);
    two();
  } while (turn);
  last();
}
