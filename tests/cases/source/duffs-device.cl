// Duff's device: a switch that jumps into a loop.
//
// CLAIM: start => choose
// UNDEFINED: again looped entered
// CLAIM: choose => one
// CLAIM: choose => behind
// CLAIM: choose => three
// CLAIM: start => last
// CLAIM: behind => last
// CLAIM: three => last
void start(void);
void one(void);
int again(void);
void looped(void);
void entered(void);
void behind(void);
void three(void);
void last(void);
int choose(void);

kernel void duffs_device(void) {
  start();
  switch (choose()) {
  case 1:
    one();
    while (again()) {
      looped();
  case 2:
      entered();
    }
    behind();
    break;
  case 3:
    three();
  }
  last();
}
// conformance: clang-2025-04/43, 43a, 43b, 43c, 43d
