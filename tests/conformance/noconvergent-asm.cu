// The same instruction twice: once where the convergence of threads counts, and once where it does not.

__global__ void both(int *out, int value) {
  int plain, marked;
  asm volatile("shfl.sync.down.b32 %0, %1, 1, 31, -1;" : "=r"(plain) : "r"(value));
  [[clang::noconvergent]] {
    asm volatile("shfl.sync.down.b32 %0, %1, 1, 31, -1;" : "=r"(marked) : "r"(value));
  }
  out[threadIdx.x] = plain + marked;
}
