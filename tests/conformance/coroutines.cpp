// A coroutine: what it does between two resumptions is executed by the threads that resume it together.
unsigned long get_local_id(unsigned) noexcept;
[[clang::convergent]] int sub_group_non_uniform_reduce_add(int) noexcept;

namespace std {
template <class R, class... A> struct coroutine_traits { using promise_type = typename R::promise_type; };
template <class P = void> struct coroutine_handle {
  void *address;
  static coroutine_handle from_address(void *a) noexcept { return {a}; }
  static coroutine_handle from_promise(P &p) noexcept { return {__builtin_coro_promise(&p, alignof(P), true)}; }
  void resume() const { __builtin_coro_resume(address); }
  void destroy() const { __builtin_coro_destroy(address); }
  bool done() const { return __builtin_coro_done(address); }
  P &promise() const { return *(P *)__builtin_coro_promise(address, alignof(P), false); }
};
struct suspend_always {
  bool await_ready() noexcept { return false; }
  template <class H> void await_suspend(H) noexcept {}
  void await_resume() noexcept {}
};
}

struct Numbers {
  struct promise_type {
    int value;
    Numbers get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int v) noexcept { value = v; return {}; }
    void return_void() noexcept {}
    void unhandled_exception() noexcept {}
  };
  std::coroutine_handle<promise_type> handle;
};

[[clang::convergent]] Numbers numbers(int i) {
  co_yield 10 * sub_group_non_uniform_reduce_add(1);
  if (i % 2)
    co_yield 100 * sub_group_non_uniform_reduce_add(1);
  co_yield 1000 * sub_group_non_uniform_reduce_add(1);
}

extern "C" [[clang::convergent]] void kernel(int *out) {
  int i = (int)get_local_id(0);
  int *sum = new int(0);
  Numbers n = numbers(i);
  for (n.handle.resume(); !n.handle.done(); n.handle.resume())
    *sum += n.handle.promise().value;
  n.handle.destroy();
  out[i] = *sum;
  delete sum;
}
