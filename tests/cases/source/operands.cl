// Operands: who evaluates one does so with all who come to it.
//
// CLAIM: first => enough
// CLAIM: first => left
// CLAIM: first => right
// CLAIM: left => both
// CLAIM: right => both
// CLAIM: enough => rare
// CLAIM: enough => last
// CLAIM: first => last
void first(void);
int left(int);
int right(int);
int both(int);
int enough(int);
void rare(void);
void last(void);

kernel void operands(int v) {
  first();
  int w = both(v ? left(1) : right(2));
  if (v && enough(w)) rare();
  last();
}
