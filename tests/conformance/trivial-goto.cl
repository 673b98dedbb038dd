// A jump to the statement that follows, from inside of the one before it.
int ask(void);
void other(void);
void next(void);
void last(void);

kernel void trivial_goto(void) {
  {
    if (ask())
      goto follows;
    else
      other();
  follows:
    next();
  }
  last();
}
