// What packs, folds and references with && do, a number for each thing: clang computes the same.
#include <utility>
#include <type_traits>
template <typename T> __device__ T sum(T a) { return a; }
template <typename T, typename... R> __device__ T sum(T a, R... rest) { return a + sum(rest...); }
template <typename... T> __device__ int count(T...) { return sizeof...(T); }
template <typename... T> __device__ auto folded(T... x) { return (x + ...); }
template <typename... T> __device__ auto difference(T... x) { return (x - ...); }
template <typename... T> __device__ auto left_difference(T... x) { return (... - x); }
template <typename... T> __device__ auto with_start(int s, T... x) { return (s - ... - x); }
template <typename... T> __device__ bool all(T... x) { return (... && (x > 0)); }
template <typename F, typename... A> __device__ void each(F f, A &&...a) { (f(a), ...); }
template <int... N> struct numbers { static constexpr int size = sizeof...(N); static __device__ int total() { return (N + ... + 0); } };
template <typename... T> struct tuple {};
template <typename H, typename... T> struct tuple<H, T...> { H head; tuple<T...> tail; __device__ tuple(H h, T... t) : head(h), tail(t...) {} __device__ tuple() {} };
template <> struct tuple<> { __device__ tuple() {} };
template <typename... T> __device__ int heads(tuple<int, T...> t) { return t.head + sizeof...(T); }
template <typename... T> __device__ int array(T... t) { int a[] = {t..., 7}; int s = 0; for (int i = 0; i < sizeof(a) / 4; i++) s = s * 10 + a[i]; return s; }
template <typename... T> __device__ int twice(T... t) { return sum((t * 2)...); }
template <int N, int... M> struct most { static constexpr int value = N > most<M...>::value ? N : most<M...>::value; };
template <int N> struct most<N> { static constexpr int value = N; };
struct add { int *p; __device__ void operator()(int n) { *p += n; } };
__device__ void packs(int *p) {
  p[0] = sum(1, 2, 3, 4);
  p[1] = count(1, 2.0f, 'c') * 10 + count();
  p[2] = folded(1, 2, 3);
  p[3] = difference(10, 4, 1);
  p[4] = left_difference(10, 4, 1);
  p[5] = with_start(100, 10, 1);
  p[6] = all(1, 2) * 10 + all(1, 0) * 2 + all();
  p[7] = 0; int seven = 0;
  each(add{&seven}, 1, 2, 3); p[7] = seven;
  p[8] = numbers<1, 2, 3>::total() + numbers<>::size + numbers<5, 6>::size * 100;
  tuple<int, float, char> t(40, 2.0f, 'x');
  p[9] = heads(t);
  p[10] = array(1, 2, 3);
  p[11] = twice(1, 2, 3);
  p[12] = most<3, 9, 4>::value;
}
struct counted { int n; int *moves; __device__ counted(int a, int *m) : n(a), moves(m) {} __device__ counted(const counted &o) : n(o.n), moves(o.moves) { *moves += 100; } __device__ counted(counted &&o) : n(o.n), moves(o.moves) { o.n = -1; *moves += 1; } };
template <typename T, typename... A> __device__ T make(A &&...a) { return T(std::forward<A>(a)...); }
__device__ int which_one(int &) { return 1; }
__device__ int which_one(const int &) { return 2; }
__device__ int which_one(int &&) { return 3; }
template <typename T> __device__ int passed(T &&t) { return which_one(std::forward<T>(t)) * 10 + std::is_lvalue_reference<T>::value; }
template <typename... A> __device__ int all_passed(A &&...a) { int s = 0; ((s = s * 100 + passed(std::forward<A>(a))), ...); return s; }
template <unsigned long... I> __device__ int total_of(const int *p, std::index_sequence<I...>) { return ((p[I] * (I + 1)) + ...); }
template <typename... T> __device__ int of(T... t) { return total_of((const int[]){t...}, std::index_sequence_for<T...>{}); }
struct two { int a, b; };
template <typename... T> __device__ int aggregate(T... t) { two p = {t...}; two q{t...}; return p.a * 10 + q.b; }
template <typename... T> struct listed { static constexpr int bytes = (sizeof(T) + ... + 0); };
template <typename T, typename... U> struct has { static constexpr bool value = (std::is_same<T, U>::value || ...); };
__device__ void given(int *p) {
  int x = 1; const int c = 2;
  p[0] = which_one(x) * 100 + which_one(c) * 10 + which_one(3);
  p[1] = passed(x) * 10000 + passed(c) * 100 + passed(3);
  p[2] = all_passed(x, 4, c);
  p[3] = which_one(std::move(x));
  int moves = 0;
  counted a(1, &moves);
  counted b(std::move(a));
  counted d(b);
  p[4] = moves * 10 + (a.n == -1);
  int list4[4] = {1, 2, 3, 4};
  p[5] = total_of(list4, std::make_index_sequence<4>{});
  p[6] = of(5, 6, 7);
  p[7] = aggregate(3, 4);
  p[8] = listed<int, char, double>::bytes + 100 * has<int, char, int>::value + 1000 * has<int>::value;
  p[9] = make<int>(9);
  auto &&r = x; r = 5; auto &&v = 6; p[10] = x * 10 + v;
}
