// Quick sort of each thread's numbers with a stack of its own; the stack is as deep as the data want.
// RUN: --grid 2 --block 16 --arg data=u32[2048]{random:27}
#define N 64
static void exchange(private uint *a, private uint *b) {
  uint swap = *a;
  *a = *b;
  *b = swap;
}

kernel void sort(global uint *data) {
  uint mine[N];
  int stack[2 * N], top = 0, first = get_global_id(0) * N;
  for (int k = 0; k < N; ++k)
    mine[k] = data[first + k];
  stack[top++] = 0;
  stack[top++] = N - 1;
  while (top > 0) {
    int high = stack[--top], low = stack[--top];
    if (low >= high)
      continue;
    exchange(&mine[(low + high) / 2], &mine[high]);
    uint pivot = mine[high];
    int store = low;
    for (int k = low; k < high; ++k)
      if (mine[k] < pivot)
        exchange(&mine[k], &mine[store++]);
    exchange(&mine[store], &mine[high]);
    stack[top++] = low;
    stack[top++] = store - 1;
    stack[top++] = store + 1;
    stack[top++] = high;
  }
  for (int k = 0; k < N; ++k)
    data[first + k] = mine[k];
}
