// Exceptions: threads that throw go on at the handler, and meet the others behind it.
unsigned long get_local_id(unsigned) noexcept;
[[clang::convergent]] int sub_group_non_uniform_reduce_add(int) noexcept;

struct Odd {
  int by;
};

static int even(int n) {
  if (n % 2 != 0)
    throw Odd{n};
  return n;
}

extern "C" [[clang::convergent]] void kernel(int *out) {
  int i = (int)get_local_id(0);
  try {
    out[i] = even(i) + 10 * sub_group_non_uniform_reduce_add(1);
  } catch (const Odd &odd) {
    out[i] = odd.by + 20 * sub_group_non_uniform_reduce_add(2);
  }
  out[i] += 1000 * sub_group_non_uniform_reduce_add(1);
}
