// A function that goes round by goto, called in both branches: there it is up to the implementation who is together.
void turn(void);

void rounds(uint left) {
again:
  turn();
  if (left--)
    goto again;
}

kernel void distinct_calls(void) {
  uint id = get_local_id(0);
  if (id & 1)
    rounds(1);
  else
    rounds(1);
}
