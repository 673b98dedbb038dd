// Insertion sort of sixteen numbers by each thread, in private memory.
// RUN: --grid 2 --block 32 --arg data=i32[1024]{random:26}
// RUN: --grid 1 --block 1 --arg data=i32[16]{8*5,4*-5,4*0}
#define N 16
kernel void sort(global int *data) {
  int mine[N];
  int first = get_global_id(0) * N;
  for (int k = 0; k < N; ++k)
    mine[k] = data[first + k];
  for (int k = 1; k < N; ++k) {
    int key = mine[k], at = k - 1;
    while (at >= 0 && mine[at] > key) {
      mine[at + 1] = mine[at];
      --at;
    }
    mine[at + 1] = key;
  }
  for (int k = 0; k < N; ++k)
    data[first + k] = mine[k];
}
