//! Templates of which nothing says the arguments, templates of variables, and templates that take templates.

use expect_test::expect;
use reconverge_lang::options::Dialect;

use crate::translate::projects::{kernels_of, shows};
use crate::translate::support::{TOKENS, broken_rules, defined, lowered, translated};

#[test]
fn classes_have_templates_and_names_of_types_that_their_members_use() {
    shows(
        "template <typename T, int N> struct store {
  template <int W, int D> struct internal;
  template <int D> struct internal<1, D> { typedef int storage; storage linear; __device__ internal(storage &s, int l) : linear(l + s) {} __device__ void put(T *to, T (&items)[N]) { to[linear] = items[0]; } };
  template <int D> struct internal<2, D> { struct storage { T a[N]; }; __device__ internal(storage &s, int l) { s.a[0] = l; } __device__ void put(T *to, T (&items)[N]) { to[N] = items[1]; } };
  typedef internal<N, 0> used;
  typedef typename used::storage storage;
  template <typename U> using other = internal<N, sizeof(U)>;
  typedef T element;
  storage &where;
  __device__ store(storage &s) : where(s) {}
  __device__ void put(element *to, T (&items)[N]) { used(where, threadIdx.x).put(to, items); }
  template <typename U> __device__ element get(element *from, U &&index) { typename other<U>::storage s; other<U> o(s, 1); return from[index]; }
};
template <typename A> struct asks { typename A::template other<double> in; };
__global__ void k(int *p, float *q) {
  int items[1] = {p[0]}; float others[2] = {1, 2};
  __shared__ store<int, 1>::storage s; __shared__ typename store<float, 2>::storage t;
  store<int, 1>(s).put(p, items);
  store<float, 2> kept(t); kept.put(q, others);
  p[1] = store<int, 1>(s).get(p, 1) + sizeof(asks<store<float, 2>>);
}
",
        expect![[r#"
            understood: k store<int, 1>::store store<int, 1>::put store<float, 2>::store store<float, 2>::put store<int, 1>::get<int> store::internal<1, 0>::internal store::internal<1, 0>::put store::internal<2, 0>::internal store::internal<2, 0>::put store::internal<1, 4>::internal
        "#]],
    );
}

#[test]
fn what_is_in_an_open_type_is_open() {
    shows(
        "struct traits_of_int { typedef int type; };
template <typename T> struct traits { static constexpr int size = 1; typedef int type; };
template <> struct traits<float> { static constexpr int size = 4; typedef float type; };
template <typename F> __global__ void member_types(typename F::type *p, const typename F::type x) { typename F::type y = x; p[threadIdx.x] = y; }
template <typename F> __global__ void member_values(int *p) { if (F::is_wide) __syncthreads(); p[threadIdx.x] = F::value; }
template <typename T, int N> __global__ void asserted(T *p) { static_assert(N % 2 == 0 && sizeof(T) == 4); p[0] = N; }
template <typename T> __global__ void members_of_instances(typename traits<T>::type *p) { if (traits<T>::size > 2) __syncthreads(); typename traits<T>::type x = *p; p[threadIdx.x] = x; }
",
        expect![[r#"
            understood: member_types<unknown> member_values<unknown> asserted<unknown, unknown> members_of_instances<unknown>
            open in member_types<unknown>: nothing says what the template's parameter `F` is
            open in member_values<unknown>: nothing says what the template's parameter `F` is
            open in asserted<unknown, unknown>: nothing says what the template's parameter `T` is
            open in asserted<unknown, unknown>: nothing says what the template's parameter `N` is
            open in members_of_instances<unknown>: nothing says what the template's parameter `T` is
        "#]],
    );
}

/// It is analysed for everything that the parameter may stand for: neither branch is left out.
#[test]
fn what_depends_on_an_open_parameter_is_not_decided() {
    let translation = kernels_of(
        "template <typename T, typename U> struct same { static constexpr bool value = false; };
template <typename T> struct same<T, T> { static constexpr bool value = true; };
template <typename T, typename U> inline constexpr bool same_v = same<T, U>::value;
template <typename T> __global__ void k(T *p) {
  if constexpr (same<T, float>::value) { __syncthreads(); } else { __threadfence(); }
  if constexpr (same_v<T, int>) { __syncwarp(); } else { __threadfence_block(); }
}
",
    );
    let ir = lowered(&translation, TOKENS);
    let calls = |what: &str| ir.lines().any(|line| line.contains(what) && !line.starts_with("declare"));
    assert!(calls("barrier.cta.sync") && calls("bar.warp.sync"), "{ir}");
    assert!(calls("fence syncscope(\"device\")") || calls("membar.gl"), "{ir}");
    // Where something says it, one of them is there.
    let translation = kernels_of(
        "template <typename T, typename U> inline constexpr bool same_v = false;
template <typename T> inline constexpr bool same_v<T, T> = true;
template <typename T> __global__ void k(T *p) { if constexpr (same_v<T, float>) { __syncthreads(); } *p = 1; }
template __global__ void k<int>(int *);
",
    );
    let ir = lowered(&translation, TOKENS);
    assert!(!ir.contains("barrier.cta.sync"), "{ir}");
}

#[test]
fn templates_of_variables_have_one_variable_or_value_for_equal_arguments() {
    shows(
        "template <typename T> __constant__ T mask[4];
template <typename T> __device__ T total;
template <typename T, int N> constexpr int bytes = N * sizeof(T);
template <> constexpr int bytes<double, 1> = 3;
template <typename T> __global__ void k(T *p) { p[threadIdx.x] = mask<T>[1] + bytes<T, 2> + bytes<double, 1>; total<T> += 1; }
int main() { float *p; k<<<1, 2>>>(p); int *q; k<<<1, 2>>>(q); }
",
        expect![[r#"
            understood: k<float> k<int>
        "#]],
    );
    let translation = kernels_of(
        "template <typename T> __device__ T total;
__global__ void k() { total<int> += 1; total<float> += 1; total<int> += 2; }
",
    );
    let ir = lowered(&translation, TOKENS);
    assert_eq!(ir.lines().filter(|line| line.starts_with("@total")).count(), 2, "{ir}");
}

#[test]
fn templates_take_templates() {
    shows(
        "template <typename T> struct Max { __device__ T operator()(T a, T b) const { return a < b ? b : a; } };
template <typename T> struct Sum { __device__ T operator()(T a, T b) const { return a + b; } };
template <typename T, int N, template <typename> class Op> __device__ T reduce(T x) {
  Op<T> op;
  for (int i = N / 2; i > 0; i /= 2) x = op(x, __shfl_xor_sync(0xffffffff, x, i));
  return x;
}
__global__ void k(float *p) { p[threadIdx.x] = reduce<float, 32, Max>(p[0]) + reduce<float, 32, Sum>(p[1]); }
template <template <typename> class Op> __global__ void open(int *p) { Op<int> op; *p = 1; }
",
        expect![[r#"
            understood: k reduce<float, 32, Max> reduce<float, 32, Sum> Max<float>::operator() Sum<float>::operator() open<unknown>
            open in open<unknown>: nothing says what the template's parameter `Op` is
        "#]],
    );
}

/// Which function is called is the same for all threads, and any of them may be.
#[test]
fn a_call_that_an_open_type_chooses_is_one_of_all() {
    let text = "__device__ unsigned hash(unsigned x) { return x * 3; }
__device__ unsigned long hash(unsigned long x) { __syncthreads(); return x * 5; }
template <typename K> __global__ void k(K *keys) { K at = hash(keys[threadIdx.x]); keys[0] = at; }
";
    shows(
        text,
        expect![[r#"
            understood: hash hash k<unknown>
            open in k<unknown>: nothing says what the template's parameter `K` is
        "#]],
    );
    let ir = lowered(&kernels_of(text), TOKENS);
    assert_eq!(ir.lines().filter(|line| line.contains("call") && line.contains("@_Z4hash")).count(), 2, "{ir}");
}

#[test]
fn libraries_of_the_runtimes() {
    for (prefix, headers) in [
        ("cu", "#include <cuda_runtime.h>\n#include <curand_kernel.h>\n#include <cuComplex.h>\n#include <cufft.h>\n"),
        ("hip", "#include <hip/hip_runtime.h>\n#include <hiprand/hiprand_kernel.h>\n#include <hipfft/hipfft.h>\n"),
    ] {
        let (rand, fft, runtime) =
            if prefix == "cu" { ("curand", "cufft", "cuda") } else { ("hiprand", "hipfft", "hip") };
        let text = format!(
            "{headers}
__global__ void start({rand}State *all, unsigned long long seed) {{ {rand}_init(seed, threadIdx.x, 0, &all[threadIdx.x]); }}
__global__ void numbers(float *p, double *q, {rand}StatePhilox4_32_10_t *all) {{
  {rand}State_t own; {rand}_init(1ull, threadIdx.x, 0ull, &own); p[0] = {rand}_uniform(&own) + {rand}_normal(&own) + {rand}_poisson(&own, 3.0);
  {rand}StatePhilox4_32_10_t other = all[0]; float4 four = {rand}_uniform4(&other); uint4 more = {rand}4(&other); p[1] = four.x + more.w; q[0] = {rand}_normal2_double(&other).y; skipahead(3ull, &other);
}}
__global__ void complex({fft}Complex *p, {fft}DoubleComplex *q, {prefix}DoubleComplex by) {{
  q[0] = {prefix}Cmul({prefix}Cadd(q[0], {prefix}Conj(by)), make_{prefix}DoubleComplex(1, 2)); p[0] = {prefix}Cdivf(p[0], make_{prefix}Complex(3, 4)); p[1].x = {prefix}Cabsf(p[0]) + {prefix}Cimag(q[0]);
}}
__global__ void runtime({runtime}Extent size, {runtime}Stream_t stream, ssize_t n, int *p) {{
  std::pair<int, float> both = std::make_pair(1, 2.0f); int a = both.first, b = 2; std::swap(a, b); typename std::common_type<int, double>::type sum = a + 0.5; p[0] = sum * size.width + n + std::is_same<int, int>::value;
  int *made = (int *)malloc(4); *made = {runtime}Success; free(made);
}}
"
        );
        let dialect = if prefix == "cu" { Dialect::Cuda } else { Dialect::Hip };
        // Read whole, nothing of it may be unknown.
        let translation = translated(dialect, text);
        assert!(!translation.has_errors(), "{:?}", translation.diagnostics);
        assert_eq!(broken_rules(&lowered(&translation, TOKENS)), [""; 0]);
    }
}

#[test]
fn the_standard_library_says_what_types_are() {
    shows(
        "#include <vector>
#include <limits>
template <typename T> struct my_false : std::bool_constant<false> {};
template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0> __device__ T only_integers(T x) { return x; }
template <typename T> __global__ void k(T *p) {
  using U = std::make_unsigned_t<T>;
  static constexpr auto most = static_cast<float>(std::numeric_limits<T>::max());
  if constexpr (std::is_same_v<U, unsigned>) { __syncthreads(); }
  if constexpr (my_false<T>::value) { nothing_like_this(); }
  typename std::conditional<sizeof(T) == 4, float, double>::type f = most;
  p[threadIdx.x] = only_integers(p[0]) + std::abs(p[1]) + std::sqrt(f) + std::isinf(f) + std::signbit(f);
}
int main() { int *p; k<<<1, 2>>>(p); }
",
        expect![[r#"
            no header vector
            understood: k<int> std::numeric_limits<int>::max only_integers<int, 0>
        "#]],
    );
}

#[test]
fn a_constant_that_is_not_computed_here_is_computed_where_it_is_used() {
    shows(
        "template <typename T> constexpr T least() { if (sizeof(T) == 4) return 1; return 2; }
const int of_the_host = least<int>();
template <typename T> const T of_many = least<T>();
__global__ void k(int *p) { p[threadIdx.x] = of_the_host + of_many<long>; }
",
        expect![[r#"
            understood: least<int> k least<long>
        "#]],
    );
}

#[test]
fn a_struct_that_nobody_defines_makes_no_invalid_ir() {
    shows(
        "__device__ struct pair compute(float *p) { struct pair r = {0.f, 0.f}; return r; }
__global__ void k(float *p) { struct pair r = compute(p); p[threadIdx.x] = r.first; }
",
        expect![[r#"
            understood: compute k
            unknown in compute: `pair` is declared but not defined
            unknown in k: `pair` is declared but not defined
        "#]],
    );
}

#[test]
fn extern_templates_make_no_instance() {
    let translation = kernels_of(
        "template <int N> __global__ void k(int *p) { p[0] = N; }
template <int N> void launch(int *p) { k<N><<<1, 32>>>(p); }
extern template void launch<3>(int *p);
extern template struct unknown<int>;
template void launch<5>(int *p);
",
    );
    let ir = lowered(&translation, TOKENS);
    assert!(ir.contains("_Z1kILi5EEvPi") && !ir.contains("_Z1kILi3EEvPi"), "{ir}");
}

#[test]
fn the_name_of_a_function_is_a_string() {
    let translation = kernels_of(
        "__device__ int length(const char *s) { int n = 0; while (s[n]) n++; return n; }
__global__ void named(int *p) { p[0] = length(__func__) + sizeof(__FUNCTION__); }
",
    );
    let ir = lowered(&translation, TOKENS);
    assert!(ir.contains("c\"named\\00\""), "{ir}");
}

/// What chooses between functions is not looked at, and then nothing is chosen.
#[test]
fn constraints_are_taken_to_hold() {
    shows(
        "template <class T> concept Small = sizeof(T) <= 4 && requires(T t) { t + t; };
template <typename T> requires(sizeof(T) == 4) __device__ T twice(T x) { return x + x; }
template <typename T> requires Small<T> && (sizeof(T) > 1) || true __device__ T thrice(T x) { return x + x + x; }
template <Small T, std::integral U = int> __device__ T four(T x) { return 4 * x; }
template <typename T> __device__ T five(T x) requires Small<T> { return 5 * x; }
template <typename T> __device__ auto six(T x) -> T requires ns::Other<T, 2>::value { return 6 * x; }
template <std::same_as<int>... T> __device__ int none(T...) { return 7; }
template <class T> requires Small<T> struct pair { T a, b; };
template <typename T> requires requires(T t) { t + t; } __global__ void k(T *a, int n) {
  pair<T> both = {a[0], a[1]};
  a[0] = twice(threadIdx.x) + thrice(n) + four(n) + five(n) + six(n) + none(1, 2) + both.a;
}
template __global__ void k<int>(int *, int);
template <class T> __device__ int pick(T x) { return 0; }
template <class T> requires Small<T> __device__ int pick(T x) { return 1; }
__global__ void picks(int *a) { a[0] = pick(1); }
",
        expect![[r#"
            understood: k<int> twice<unsigned int> thrice<int> four<int, int> five<int> six<int> none<int, int> picks
            unknown in picks: several functions `pick` take (int) equally well
        "#]],
    );
}

#[test]
fn a_template_that_mentions_itself_ends_where_that_is_not_needed() {
    shows(
        "template <bool B, typename T, typename F> struct select { typedef T type; };
template <typename T, typename F> struct select<false, T, F> { typedef F type; };
template <bool B, typename T, typename F> using select_t = typename select<B, T, F>::type;
template <typename T, T... I> struct seq { static constexpr int size = sizeof...(I); };
template <typename T, T N, T... I> struct upto : select_t<N == T{}, seq<T, I...>, upto<T, N - T{1}, N - T{1}, I...>> {};
template <typename F, typename T, T... I> __device__ int apply(F f, seq<T, I...>) { return f(I...); }
static_assert(upto<int, 4>::size == 4, \"a base that is an argument\");
template <int N> struct number { static constexpr int value = N; };
template <typename A, typename B> struct sum { static constexpr int value = A::value + B::value; };
template <int N> struct triangle { static constexpr int value = select_t<N == 0, number<0>, sum<number<N>, triangle<N - 1>>>::value; };
static_assert(triangle<4>::value == 10, \"arguments that are looked into\");
template <int N> struct chain { typedef select_t<(N > 0), chain<N - 1>, void> next; typedef select_t<true, next *, int> pointer; int n = N; };
template <typename T> struct part { int at[4]; __device__ int get() const { return at[1]; } };
template <int N> struct whole : part<whole<N - 1>> { select_t<(N > 0), whole<N - 1> *, int> rest; };
template <typename T> __device__ int get(const part<T> *p) { return p->get(); }
__global__ void k(int *p, whole<2> *q) {
  p[0] = apply([](int a, int b, int c) { return a + 10 * b + 100 * c; }, upto<int, 3>{});
  chain<3>::next::next c; p[1] = c.n;
  chain<3>::pointer d = nullptr;
  p[2] = sizeof(*d);
  p[3] = get(q) + get(q->rest);
}
",
        expect![[r#"
            understood: k apply<lambda.1, int, 0, 1, 2> get<whole<1>> get<whole<0>> lambda.1::operator() part<whole<1>>::get part<whole<0>>::get
        "#]],
    );
}

#[test]
fn what_a_constant_starts_with_may_assert_something_and_need_not_be_known() {
    shows(
        "#include <cassert>
__device__ constexpr unsigned part(unsigned a, unsigned b) { assert(a % b == 0); return a / b; }
constexpr unsigned base = 8;
template <typename T, unsigned n> __device__ void add(float (&to)[part(n, base)][2], int d);
template <> __device__ void add<float, 16>(float (&to)[2][2], int d) { to[0][1] = d; }
template <> __device__ void add<float, 8>(float (&to)[1][2], int d) { to[0][1] = d + 1; }
struct in_class { static constexpr int known = part(16, 4), open = count_of(3); };
constexpr int of_build = count_of(4);
static_assert(in_class::known == 4, \"assertions are evaluated\");
__global__ void k(int *p) {
  float a[2][2], b[1][2];
  add<float, 16>(a, p[0]); add<float, 8>(b, p[1]);
  constexpr int n = of_build * 2;
  p[0] = n + in_class::open + (int)a[0][1];
}
",
        expect![[r#"
            understood: part add<float, 16> add<float, 8> k
            unknown in k: the function `count_of` is not declared
            unknown in k: the value of the constant `in_class::open` is not known
        "#]],
    );
}

/// Of specialisations that fit, the one is meant that says more, however many parameters it has; what is asserted is what clang says, too.
#[test]
fn the_specialisation_is_meant_that_says_more() {
    let text = "template <class T> struct B {}; template <class T> struct C {}; template <class T, int N> struct V {};
template <class... T> struct A { static constexpr int n = 0; };
template <class T> struct A<T> { static constexpr int n = 1; };
template <class T> struct A<B<T>> { static constexpr int n = 2; };
template <class T> struct A<B<C<T>>> { static constexpr int n = 3; };
template <class T, int N> struct A<B<V<T, N>>> { static constexpr int n = 4; };
template <class T, class U, class... R> struct A<B<T>, U, R...> { static constexpr int n = 5; };
template <class T, class... R> struct A<T, R...> { static constexpr int n = 6; };
template <class T, class U> struct A<B<T>, C<U>> { static constexpr int n = 7; };
template <class T> struct A<const T> { static constexpr int n = 8; };
template <class T, int N> struct A<T[N]> { static constexpr int n = 9; };
template <class T> struct A<T *> { static constexpr int n = 10; };
template <class R, class... T> struct A<R(T...)> { static constexpr int n = 100 + sizeof...(T); };
template <class R, class T> struct A<R(T)> { static constexpr int n = 11; };
template <class T> struct A<B<T> *> { static constexpr int n = 12; };
template <class Op, class... Args> struct traits;
template <> struct traits<int> { static constexpr int n = 20; };
template <class... Args> struct atom;
template <class Op> struct atom<Op> : atom<traits<Op>> {};
template <class Op, class... Args> struct atom<traits<Op, Args...>> : traits<Op, Args...> {};
__global__ void k() {
  static_assert(A<>::n == 0 && A<int>::n == 1 && A<B<int>>::n == 2 && A<B<C<int>>>::n == 3 && A<B<V<int, 3>>>::n == 4);
  static_assert(A<B<int>, int>::n == 5 && A<B<int>, int, int>::n == 5 && A<int, int>::n == 6 && A<B<int>, C<int>>::n == 7);
  static_assert(A<const int>::n == 8 && A<int[3]>::n == 9 && A<int *>::n == 10 && A<int(float)>::n == 11 && A<B<int> *>::n == 12);
  static_assert(A<int(int, float *, B<int>)>::n == 103 && A<void()>::n == 100 && atom<int>::n == 20);
}
";
    shows(text, expect!["understood: k\n"]);
    // Each of the assertions can fail.
    let wrong = text.replace("atom<int>::n == 20", "atom<int>::n == 21");
    shows(
        &wrong,
        expect![[r#"
        understood: k
        unknown in k: the condition of a static assertion is false
    "#]],
    );
}

/// `T()` and `T(U)` as arguments of templates are types of functions; a pack may be what one takes.
#[test]
fn types_of_functions_as_arguments() {
    let text = "template <int N> struct num { static constexpr int n = N; };
template <class F> struct call; template <class R, class... A> struct call<R(A...)> { R (*f)(A...); __device__ R operator()(A... a) const { return f(a...); } };
template <class R, class... A> __device__ R now(R (*f)(A...), A... a) { return f(a...); }
__device__ int sum(int a, float b) { return a + b; }
__global__ void k(int *p) {
  call<int(int, float)> g{sum};
  static_assert(num<int(3)>::n + num<int(float(4))>::n == 7);
  p[0] = g(1, 2) + now(sum, 3, 4.0f);
}
";
    shows(
        text,
        expect![[r#"
        understood: sum k call<int (int, float)>::operator() now<int, int, float>
    "#]],
    );
}

/// `...` inside of the arguments of a template in parentheses is no fold, whatever is beside it.
#[test]
fn folds_and_packs_in_angles() {
    let text = "template <bool B> struct bv { static constexpr bool value = B; using type = int; };
template <class T> struct is_t : bv<true> {};
template <bool... B> struct all_of { static constexpr bool value = (B && ...); };
template <class... T> constexpr bool all_v = (is_t<T>::value && ...);
template <class... T> __device__ constexpr bool up(T... t) { return (t > ... > 0); }
template <class... T> __device__ constexpr int right(T... t) { return (t >> ...); }
template <class... T> __device__ constexpr int less(T... t) { return (t < ...); }
template <class... T> __device__ int g(T... t) { if constexpr ((all_v<is_t<T>...>)) return 1; else return 2; }
template <class... T> __device__ int h(T... t) { if constexpr ((all_of<is_t<T>::value...>::value) && (sizeof(T) + ...) > 3) return 1; else return 2; }
template <class... T> struct with { template <class U, typename bv<(all_v<is_t<T>...>)>::type * = nullptr> __device__ int f(U u) { return u; } };
__global__ void k(int *p) {
  static_assert(up(3) && right(8, 1) == 4 && less(1, 2) == 1);
  p[threadIdx.x] = g(1) + h(2) + with<int, float>().f(3);
}
";
    shows(
        text,
        expect![[r#"
        understood: k up<int> right<int, int> less<int, int> g<int> h<int> with<int, float>::f<int, 0>
    "#]],
    );
}

/// What an `auto` function returns that is called inside of itself is what a `return` before has said; before one has, nothing says it, and it is no `void`.
#[test]
fn what_calls_itself_returns_what_it_has_said() {
    let text = "template <class A> struct is_tup { static constexpr bool value = A::tup; };
template <class F, class A> __device__ auto each(F &&f, A const &a) { return f(a); }
template <class A> __device__ auto lift(A const &a) {
  if constexpr (is_tup<A>::value) return each([](auto const &x) { return lift(x.in); }, a); else return a;
}
template <class T> struct pair { static constexpr bool tup = T::tup; T in; };
template <class T> __global__ void k(T t) { pair<pair<T>> v; auto x = lift(v); lift(x); }
template <class T> __device__ auto count(T n) { if (n == 0) return T(1); return count(n - 1) + 1; }
__device__ auto down(int n) { if (n < 1) return 0; return down(n - 1); }
template <class T> __device__ auto wrong(T n) { return wrong(n); }
__global__ void q(int *p) { p[0] = count(p[1]) + down(p[2]); }
__global__ void r(int *p) { p[0] = wrong(p[1]); }
";
    shows(
        text,
        expect![[r#"
        understood: down q count<int> r wrong<int> k<unknown> lift<pair<pair<unknown>>> each<lambda.1 &, pair<pair<unknown>>> lambda.1::operator()<pair<pair<unknown>>> lift<pair<unknown>> each<lambda.2 &, pair<unknown>> lambda.2::operator()<pair<unknown>> lift<unknown> each<lambda.3 &, unknown> lambda.3::operator()<unknown>
        unknown in r: `r` uses a value of an unknown type
        unknown in wrong<int>: `wrong<int>` is called before it is known what it returns
        open in k<unknown>: nothing says what the template's parameter `T` is
        unknown in lift<pair<pair<unknown>>>: the value of the constant `value` is not known
        unknown in each<lambda.1 &, pair<pair<unknown>>>: `each<lambda.1 &, pair<pair<unknown>>>` uses a value of an unknown type
        unknown in lambda.1::operator()<pair<pair<unknown>>>: `lambda.1::operator()<pair<pair<unknown>>>` uses a value of an unknown type
        unknown in lift<pair<unknown>>: the value of the constant `value` is not known
        unknown in each<lambda.2 &, pair<unknown>>: `each<lambda.2 &, pair<unknown>>` uses a value of an unknown type
        unknown in lambda.2::operator()<pair<unknown>>: `pair<unknown>::in` has an unknown type
        unknown in lift<unknown>: the value of the constant `value` is not known
        open in lift<unknown>: nothing says what the template's parameter `A` is
        open in each<lambda.3 &, unknown>: nothing says what the template's parameter `A` is
        unknown in lambda.3::operator()<unknown>: what `lift` does depends on what its arguments are, which nothing says
        open in lambda.3::operator()<unknown>: nothing says what the template's parameter `A` is
        open in lambda.3::operator()<unknown>: nothing says what the template's parameter `auto:1` is
    "#]],
    );
    assert_eq!(broken_rules(&lowered(&kernels_of(text), TOKENS)), [""; 0]);
}

/// A pack may stand for parameters that are none, as a whole or in part, where what it stands for is to be found.
#[test]
fn packs_for_parameters_that_are_none() {
    let text = "template <class Op, class... O> struct Copy_Traits;
struct UC {};
template <> struct Copy_Traits<UC> { static constexpr int n = 1; };
template <class T> struct Copy_Traits<UC, T> { static constexpr int n = 2; };
template <class... Args> struct Copy_Atom;
template <class Op, class T> struct Copy_Atom<Op, T> : Copy_Atom<Copy_Traits<Op>, T> {};
template <class... Args, class T> struct Copy_Atom<Copy_Traits<Args...>, T> : Copy_Traits<Args...> { static constexpr int m = sizeof...(Args); };
template <class A, class B> struct two { static constexpr int n = 5; };
template <class T> struct of { static constexpr int n = 0; };
template <class... T> struct of<two<T...>> { static constexpr int n = sizeof...(T); };
template <class... T> __device__ constexpr int count(two<T...>) { return sizeof...(T); }
template <class... T> using alias = two<T...>;
__global__ void k() {
  static_assert(Copy_Atom<UC, int>::n == 1 && Copy_Atom<UC, int>::m == 1);
  static_assert(Copy_Atom<Copy_Traits<UC, float>, int>::n == 2 && Copy_Atom<Copy_Traits<UC, float>, int>::m == 2);
  static_assert(of<two<int, float>>::n == 2 && of<int>::n == 0);
  static_assert(count(two<int, float>{}) == 2 && alias<int, int>::n == 5);
}
";
    shows(text, expect!["understood: k count<int, float>\n"]);
}

/// `template <auto v>`: the type of a value is that of what is given; what is in it may be asked of a value's type.
#[test]
fn values_of_any_type() {
    let text = "template <auto v> struct C { using type = C<v>; static constexpr auto value = v; using value_type = decltype(v); __device__ constexpr operator value_type() const { return value; } };
template <int v> using Int = C<v>;
using _3 = Int<3>;
template <class T, T v> struct integral : C<v> {};
template <auto a, auto b> __device__ constexpr C<a + b> operator+(C<a>, C<b>) { return {}; }
template <class T> struct is_static { static constexpr bool value = false; };
template <auto v> struct is_static<C<v>> { static constexpr bool value = true; };
template <class T> struct four : decltype(C<3>{} + C<1>{}) {};
template <auto... v> struct list { static constexpr int n = sizeof...(v); };
template <auto v = 5> struct named { static constexpr auto value = v; };
__global__ void k(int *p) {
  static_assert(_3::value == 3);
  static_assert(C<4u>::value == 4);
  static_assert(is_static<_3>::value && !is_static<int>::value);
  auto s = _3{} + C<4>{};
  static_assert(decltype(s)::value == 7);
  static_assert(decltype(_3{} + C<4>{})::value == 7);
  static_assert(four<int>::value == 4);
  static_assert(list<1, 2u, 'c'>::n == 3 && named<>::value == 5);
  if (int(s) == 7) __syncthreads();
  int n = _3{};
  for (int i = 0; i < n; i++) __syncthreads();
}
";
    shows(
        text,
        expect![[r#"
            understood: k operator+<3, 4> operator+<3, 1> C<7>::operator int C<3>::operator int
        "#]],
    );
    let wrong = text.replace("decltype(s)::value == 7", "decltype(s)::value == 8");
    shows(
        &wrong,
        expect![[r#"
            understood: k operator+<3, 4> operator+<3, 1> C<7>::operator int C<3>::operator int
            unknown in k: the condition of a static assertion is false
        "#]],
    );
}

/// A reference is of no `void`: who returns nothing has nothing to give, and the types of a template with one are refused.
#[test]
fn nothing_is_given_by_reference() {
    let text = "__device__ void nothing(int);
template <class T> struct holder { T *p; __device__ holder(const T &t) {} };
template <class T> __device__ int take(const T &t) { return 1; }
template <class... T> __device__ int all(T &&...t) { return 1; }
template <class T, class = const T &> __device__ int one(int) { return 1; }
template <class T> __device__ int one(long) { return 2; }
__global__ void k(int *p) { p[0] = take(nothing(1)) + all(1, nothing(2)); }
__global__ void q(int *p) { holder<void> *w = nullptr; p[0] = w != nullptr; p[1] = one<void>(1) + one<int>(1); }
";
    shows(
        text,
        expect![[r#"
        understood: k q one<void> one<int, int &>
        unknown in k: no function `take` takes (void)
        unknown in k: no function `all` takes (int, void)
    "#]],
    );
    assert_eq!(broken_rules(&lowered(&kernels_of(text), TOKENS)), [""; 0]);
}

/// Templates of a header that is not there as arguments of others: a `>>` closes both.
#[test]
fn arguments_that_end_with_those_of_an_unknown_template() {
    let translation = kernels_of(
        "template <class T> struct size_of { static constexpr int value = sizeof(T); };
template <class T> struct size_of<absent::complex<T>> : size_of<T> {};
template <class T, class D> struct size_of<std::unique_ptr<T, D>> { static constexpr int value = 2; };
template <class T> struct holds { T t; };
using Types = holds<absent::list<int, holds<char>>>;
template <class T> __device__ absent::made<device<T>> made(absent::many<T> *from) { return {from->a}; }
template <class T> __global__ void k(holds<absent::vec<T, holds<int>, 3>> v, holds<holds<other<T> >> w, int *p) {
  if (!is_v<holds<T>> && more_v<absent::array<T, (3 > 2)>>) p[1] = 0;
  holds<un<T>> x;
  auto y = make<un<T>>(p[0]);
  p[8 >> 1] = 3 >> p[0];
}
template __global__ void k<int>(holds<absent::vec<int, holds<int>, 3>>, holds<holds<other<int> >>, int *);
__global__ void last(int *p) { p[0] = size_of<int>::value >> 1; }",
    );
    assert!(translation.diagnostics.is_empty(), "{:?}", translation.diagnostics);
    let understood = defined(&translation);
    assert!(["k<int>", "last"].iter().all(|name| understood.contains(name)), "{understood:?}");
}
