// Forward gotos to a common end, at which all threads meet again; a retry by a backward goto before it.
#include "device.h"

__global__ void parse(const char *text, int n, int *numbers, int *failures) {
  int i = global_x(), at = i * 16, value = 0, sign = 1, failed = 1;
  if (i >= n)
    goto done;
skip:
  if (text[at] == ' ') {
    ++at;
    goto skip;
  }
  if (text[at] == '-') {
    sign = -1;
    ++at;
  }
  if (text[at] < '0' || text[at] > '9')
    goto done;
digits:
  value = value * 10 + (text[at++] - '0');
  if (text[at] >= '0' && text[at] <= '9')
    goto digits;
  if (text[at] != 0)
    goto done;
  failed = 0;
  numbers[i] = sign * value;
done:
  int count = __syncthreads_count(failed);
  if (thread_x() == 0)
    failures[block_x()] = count;
}
