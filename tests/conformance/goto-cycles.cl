// Four jumps back that a graph may not show as cycles.
int flag(int number);
void one(void);
void two(void);
void tail(void);

kernel void out_of_iteration(void) {
again:
  one();
  while (flag(1)) {
    two();
    if (flag(2))
      goto again;
  }
  tail();
}

kernel void to_other_branch(void) {
  if (flag(1)) {
  then:
    one();
  } else {
    two();
    goto then;
  }
  tail();
}

kernel void to_earlier_case(void) {
  switch (flag(1)) {
  case 1:
    tail();
    break;
  case 2:
  early:
    one();
    break;
  case 3:
    two();
    goto early;
  }
  tail();
}

kernel void taken_once(void) {
  goto start;
back:
  one();
  goto out;
start:
  two();
  goto back;
out:
  tail();
}
