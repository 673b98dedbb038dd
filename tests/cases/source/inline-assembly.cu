// Inline assembly as the instructions that it is: special registers, pure instructions, a shuffle with its predicate, a barrier.

__device__ unsigned lane() {
  unsigned r;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(r));
  return r;
}

// The sum of this thread's value and that of the thread `by` lanes behind it; its own where there is none.
__device__ float add_from_behind(float v, int by) {
  float r;
  asm volatile(
      "{\n\t"
      "  .reg .pred p;\n\t"
      "  .reg .f32 t;\n\t"
      "  shfl.sync.down.b32 t|p, %[value], %[by], 0x1f, 0xffffffff;  // p: there is one\n\t"
      "  @p add.f32 t, t, %[value];\n\t"
      "  mov.f32 %[result], t;\n\t"
      "}"
      : [result] "=f"(r)
      : [value] "f"(v), [by] "r"(by));
  return r;
}

extern "C" __global__ void instructions(const unsigned *in, unsigned *out, float *sums) {
  unsigned l = lane(), a = in[0], b = in[1], c = in[2], r;
  unsigned long long wide;
  asm("bfe.u32 %0, %1, 8, 12;" : "=r"(r) : "r"(a));
  if (l == 0) out[0] = r;
  asm("bfi.b32 %0, %1, %2, 4, 8;" : "=r"(r) : "r"(a), "r"(b));
  if (l == 0) out[1] = r;
  asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  if (l == 0) out[2] = r;
  asm("prmt.b32 %0, %1, %2, 0x7a40;" : "=r"(r) : "r"(a), "r"(b));
  if (l == 0) out[3] = r;
  asm("mov.b64 %0, {%1, %2};" : "=l"(wide) : "r"(a), "r"(b));
  asm("{ .reg .b32 low; mov.b64 {low, %0}, %1; add.u32 %0, %0, low; }" : "=r"(r) : "l"(wide));
  if (l == 0) out[4] = r;
  asm("mad.lo.u32 %0, %1, %2, %0;" : "+r"(r) : "r"(b), "r"(c));
  if (l == 0) out[5] = r;
  asm("shl.b32 %0, %1, 40;" : "=r"(r) : "r"(a));
  if (l == 0) out[6] = r;
  sums[l] = add_from_behind(l, 16);
  asm volatile("" ::: "memory");
  asm volatile("bar.sync 0;");
}

extern "C" __global__ void not_all(int n) {
  if (threadIdx.x < n) asm volatile("bar.sync 0;");
}
