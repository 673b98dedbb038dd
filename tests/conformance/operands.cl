// Operations in operands that only some threads evaluate.
int ask(int value);
int left(int value);
int right(int value);
void last(void);

kernel void operands(global const int *way, global int *out) {
  int id = get_local_id(0), chosen;
  chosen = way[id] ? left(id) : right(id);
  if (way[id] && ask(id))
    chosen++;
  last();
  out[id] = chosen;
}
