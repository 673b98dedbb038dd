// A do-while loop that threads leave in different iterations.
void body(void);
int more(void);
void last(void);

kernel void do_while(void) {
  do {
    body();
  } while (more());
  last();
}
