// An interpreter whose program is an argument, so that a barrier may be one of its instructions.
// ONLY: pocl because Oclgrind takes the wrong case of a switch
// RUN: --kernel _Z9interpretyPi --grid 2 --block 64 --arg program=0x1732135645127 --arg data=i32[128]{iota}
#include "device.h"

__global__ void interpret(unsigned long long program, int *data) {
  __shared__ int cells[256];
  int self = thread_x(), a = data[global_x()], b = 0;
  for (; program != 0; program >>= 4) {
    switch (program & 15) {
    case 1: a += b; break;
    case 2: b = a; break;
    case 3:
      cells[self] = a;
      __syncthreads();
      a = cells[self ^ 1];
      __syncthreads();
      break;
    case 4: a = -a; // falls through
    case 5: b ^= a; break;
    case 6: if (a < b) a = b; break;
    case 7: a = __shfl_xor_sync(ALL, a, 1); break;
    case 15: program = 16; continue;
    default: b = self;
    }
  }
  data[global_x()] = a + b;
}
