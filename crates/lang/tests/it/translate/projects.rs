//! Files of projects as they are: kernels among code of the host, headers that are not there, and constructs that nobody here knows.

use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use expect_test::{Expect, expect};
use reconverge_lang::diagnostic::Diagnostic;
use reconverge_lang::options::{Dialect, Options, Reading, SourceModel};
use reconverge_lang::translate::{Translation, translate};
use reconverge_testing::random::SplitMix64;
use reconverge_testing::rounds::{is_part, seeds};

use crate::check::support::checked;
use crate::translate::support::{TOKENS, broken_rules, defined, lowered, translated, wrong};

/// Reads a text as far as its kernels need it.
pub(super) fn kernels_of(text: &str) -> Translation {
    let options = Options { reading: Reading::Kernels, ..Options::new(Dialect::Cuda) };
    translate(Path::new("input"), text.into(), &options, SourceModel::default())
}

/// What is understood, what in it is unknown, what is left out and why, and how much is passed over. What is understood is valid IR.
pub(super) fn shows(text: &str, expected: Expect) {
    let translation = kernels_of(text);
    let mut shown = wrong(&translation);
    for left_out in &translation.left_out {
        let what = if left_out.is_kernel { "kernel" } else { "function" };
        let _ = writeln!(shown, "left out: {what} {}", left_out.name);
    }
    for (name, _) in &translation.missing_headers {
        let _ = writeln!(shown, "no header {name}");
    }
    if !translation.passed_over.is_empty() {
        let _ = writeln!(shown, "passed over: {}", translation.passed_over.len());
    }
    let _ = writeln!(shown, "understood: {}", defined(&translation).join(" "));
    for data in translation.program.iter().flat_map(|program| program.functions.values()) {
        for unknown in &data.unknown {
            let _ = writeln!(shown, "unknown in {}: {}", data.name, unknown.reason.message);
        }
        for open in &data.open {
            let _ = writeln!(shown, "open in {}: {}", data.name, open.reason.message);
        }
    }
    assert_eq!(broken_rules(&lowered(&translation, TOKENS)), [""; 0], "{text}");
    expected.assert_eq(&shown);
}

/// The IR of a text of which everything is understood.
fn whole(text: &str) -> String {
    let translation = kernels_of(text);
    assert!(translation.left_out.is_empty() && translation.passed_over.is_empty(), "{:?}", translation.passed_over);
    let program = translation.program.as_ref().expect("a program");
    let unknown: Vec<_> = program.functions.values().flat_map(|data| &data.unknown).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
    let ir = lowered(&translation, TOKENS);
    assert_eq!(broken_rules(&ir), [""; 0]);
    ir
}

#[test]
fn functions_of_the_host_are_not_looked_into() {
    let text = "#define CHECK(x) do { error_t e = (x); if (e) { report(__LINE__); exit(1); } } while (0)
__host__ void declared(int n);
template <typename T> void of_many(T n) { std::vector<T> v{n}; for (auto &x : v) x++; }
namespace a { static int helper(int argc, char **argv) { auto f = [&](int x) { return x + argc; }; return f(1); } }
__host__ __device__ int both(int x) { return x + 1; }
__attribute__((device)) int by_attribute(int x) { return both(x); }
template <typename T> T const &
__device__ __host__ behind_the_result(T const &x) { return x; }
int *
__device__ of_pointer(int *x) { return x; }
constexpr int known() { return 3; }
void before_a_kernel() { declared(1); }
__global__ void k(int *p) { *of_pointer(p + threadIdx.x) = by_attribute(behind_the_result(known())); }
int main() { std::vector<int> v(10); k<<<1, 2>>>(v.data()); CHECK(sync()); try { throw 1; } catch (...) { } return 0; }
";
    for dialect in [Dialect::Cuda, Dialect::Hip] {
        let translation = translated(dialect, text);
        assert_eq!(wrong(&translation), "");
        assert_eq!(
            defined(&translation),
            ["both", "by_attribute", "of_pointer", "known", "k", "behind_the_result<int>"]
        );
    }
}

#[test]
fn no_kernel_is_lost_in_a_function_of_the_host() {
    let text = "void host(int n) { if (n) {\n}\n__global__ void k(int *p) { *p = 1; }\n";
    expect![[r#"
        1:18: error: this `{` is not closed
          3:1: a kernel begins here
    "#]]
    .assert_eq(&wrong(&translated(Dialect::Cuda, text)));
    // Another brace closes what is open.
    let text = format!("namespace a {{ {text} }}");
    expect![[r#"
        1:32: error: this `{` is not closed
          3:1: a kernel begins here
    "#]]
    .assert_eq(&wrong(&translated(Dialect::Cuda, text)));
}

#[test]
fn headers_that_are_not_there_are_passed_over() {
    shows(
        "#include <unknown.h>\n#include \"project/more.h\"\n#include <vector>\n#include <unknown.h>\n#ifndef VERSION\n#error no version\n#endif\n\
         __global__ void k(int *p) { *p = 1; }\n__global__ void l(known_t *p) { p->x = 1; }\n",
        expect![[r#"
            no header unknown.h
            no header project/more.h
            no header vector
            passed over: 1
            understood: k l
            unknown in l: `known_t` is not a known type
        "#]],
    );
}

#[test]
fn an_error_costs_what_it_is_in() {
    shows(
        "__device__ int helper(int x) { return x + unknown_thing; }
__device__ int good(int x) { return x + 1; }
__global__ void first(int *p) { p[0] = undefined(p); p[1] = also_undefined(p); }
__global__ void second(int *p) { p[0] = helper(good(1)); }
__global__ void third(int *p) { foo bar; p[0] = 1 +; }
__global__ void fourth(int *p) { int *f = new int[2]{3}; p[0] = *f; }
__global__ void fifth(int *p) { if (p[0]) { p[0] = 1 } }
",
        expect![[r#"
            understood: helper good first second third fourth fifth
            unknown in helper: `unknown_thing` is not declared
            unknown in first: the function `undefined` is not declared
            unknown in first: the function `also_undefined` is not declared
            unknown in third: `foo` is not a known type
            unknown in third: expected an expression, found `;`
            unknown in fourth: `new` of an array with values
            unknown in fifth: expected `;` after the expression, found `}`
        "#]],
    );
}

#[test]
fn every_kernel_of_a_macro_is_analysed() {
    let text = "#define TWO(a, b) __global__ void a(int *p) { *p = missing(1); } __global__ void b(int *p) { *p = missing(1); }\n\
                TWO(k, l)\n";
    shows(
        text,
        expect![[r#"
            understood: k l
            unknown in k: the function `missing` is not declared
            unknown in l: the function `missing` is not declared
        "#]],
    );
}

#[test]
fn declarations_cost_nothing_until_they_are_needed() {
    shows(
        "std::map<int, std::string> table;
template <typename T> class Queue { T *begin; public: Queue(); ~Queue(); virtual void push(T x) = 0; };
struct V { float x; __device__ V operator+(V o) const { V r; r.x = x + o.x; return r; } };
const int wrong = undefined(3);
typedef missing_t alias_t;
static unknown_type counter = 0;
int takes(std::vector<int> &v, Queue<int> q);
__global__ void plain(int *p) { *p = 1; }
__global__ void with_class(V *p) { *p = *p + *p; }
__global__ void with_alias(alias_t *p) { *p = 1; }
__global__ void with_value(int *p) { *p = wrong; }
__global__ void with_counter(int *p) { *p = counter; }
",
        expect![[r#"
            understood: plain with_class V::operator+ with_alias with_value with_counter
            unknown in with_alias: `alias_t` is not a known type
            unknown in with_value: the function `undefined` is not declared
            unknown in with_counter: `counter` is a variable of the host, which threads of a device cannot use
        "#]],
    );
}

#[test]
fn no_kernel_is_lost_in_what_is_passed_over() {
    shows(
        "BEGIN_NAMESPACE
__global__ void behind_a_macro(int *p) { *p = 1; }
MY_EXPORT __global__ void behind_an_attribute(int *p) { *p = 1; }
SOME_MACRO(a, b)
namespace n { __global__ void in_a_namespace(int *p) { *p = 1; } }
OPEN_NAMESPACE(x) { __global__ void inside(int *p) { *p = 1; } }
__global__ void of_unknown_types(std::vector<int> v, const Tensor<float> t) { v[0] = 1; }
template <typename T> __global__ void of_a_template(T *p, Tensor<T> t) { *p = 1; }
template <typename T> __global__ void without_instances(T *p) { *p = 1; }
template <typename T> __global__ void with_instances(T *p) { *p = 1; }
template __global__ void with_instances<int>(int *);
__device__ Tensor<float> helper(Tensor<float> x) { return x; }
__device__ Tensor<float> variable;
END_NAMESPACE
",
        expect![[r#"
            passed over: 3
            understood: behind_a_macro behind_an_attribute n::in_a_namespace inside of_unknown_types with_instances<int> helper of_a_template<unknown> without_instances<unknown>
            unknown in of_unknown_types: `std::vector` is not a known type
            unknown in of_unknown_types: `Tensor` is not a known type
            unknown in helper: `Tensor` is not a known type
            unknown in of_a_template<unknown>: `Tensor` is not a known type
            open in of_a_template<unknown>: nothing says what the template's parameter `T` is
            open in without_instances<unknown>: nothing says what the template's parameter `T` is
        "#]],
    );
    // Braces that are not closed.
    shows(
        "struct s { int x;\n__global__ void k(int *p) { *p = 1; }\n__global__ void l(int *p) { *p = 1; }\n",
        expect![[r#"
            passed over: 1
            understood: k l
        "#]],
    );
    shows(
        "namespace a { void host(int n) { if (n) { }\n__global__ void k(int *p) { int *f = new int[2]{3}; if (1) {\n}\n\
         __global__ void l(int *p) { *p = 1; } }\n__global__ void m(int *p) { if (1) { *p = 1; }",
        expect![[r#"
            passed over: 1
            understood: a::k a::l m
            unknown in a::k: `new` of an array with values
            unknown in a::k: this `{` is not closed
            unknown in m: this `{` is not closed
        "#]],
    );
}

#[test]
fn launches_say_for_which_arguments_a_template_is_analysed() {
    shows(
        "template <typename T> __global__ void deduced(T *p, int n) { p[threadIdx.x] = n; }
template <typename T, int N> __global__ void written(T *p) { p[threadIdx.x] = N; }
template <typename T> __global__ void of_a_template(T *p) { *p = 1; }
template <typename T> void generic(T *p) { of_a_template<<<1, 2>>>(p); }
int main() {
  float *p;
  const int block = 32;
  deduced<<<1, block>>>(p, 3);
  written<double, block><<<dim3(1), 2, 0, stream>>>(nullptr);
  cudaLaunchKernel(written<int, 4>, 1, 2);
}
",
        expect![[r#"
            understood: deduced<float> written<double, 32> written<int, 4> of_a_template<unknown>
            open in of_a_template<unknown>: nothing says what the template's parameter `T` is
        "#]],
    );
}

/// An unknown value is one of each thread's own, or a function of what it is computed from.
#[test]
fn unknown_values_are_found_called_or_computed() {
    let translation = kernels_of(
        "__global__ void k(Thing t, int n, float *p) { int i = 0; *p = t.scale * n; other(i, n); p[missing] = 1; }",
    );
    let ir = lowered(&translation, TOKENS);
    let count = |what: &str| ir.lines().filter(|line| line.contains(" call ") && line.contains(what)).count();
    // The name of an index, the function, and the member, the product and two conversions.
    assert_eq!((count("unknown.found"), count("unknown.called")), (1, 1), "{ir}");
    assert!(count("unknown.computed") >= 4, "{ir}");
    let called = ir.lines().find(|line| line.contains(" call ") && line.contains("unknown.called")).expect("a call");
    assert!(called.contains("(ptr %i, i32 %"), "a variable is given by reference, a parameter by value: {called}");
}

#[test]
fn other_readings_and_languages_are_whole() {
    assert!(translated(Dialect::Cuda, "#include <unknown.h>\n__global__ void k(int *p) { *p = 1; }\n").has_errors());
    assert!(translated(Dialect::Cuda, "__global__ void k(int *p) { *p = undefined(1); }\n").has_errors());
}

#[test]
fn what_is_passed_over_takes_linear_time() {
    let options = Options { reading: Reading::Kernels, ..Options::new(Dialect::Cuda) };
    for text in [
        "MACRO __device__ ",
        "__global__ ",
        "__global__ static __launch_bounds__(1) ",
        "__global__ void k(int *p) { namespace n { ",
        "__global__ void k(int *p) { auto f = [](int x) { return ",
        "__global__ void k(unknown p) { { ",
        "void host() { { ",
        "MACRO namespace n { ",
        "template <typename T> unknown ",
    ] {
        let of = |count: usize| checked(Path::new("test"), &text.repeat(count), &options).time;
        let (few, many) = (of(1_000), of(10_000));
        assert!(many < few * 40 + Duration::from_millis(200), "{text}: {few:?} and {many:?}");
    }
}

/// Whatever happens to the tokens of a file: a kernel whose beginning still stands there is understood or left out, one that ends before the damage is understood,
/// and what is understood is valid IR.
#[test]
fn no_kernel_is_lost_in_damaged_files() {
    const TEXT: &str = "struct pair { int a ; int b ; } ; template < typename T > __device__ T twice ( T x ) { return x + x ; } \
        namespace n { __global__ void k0 ( int * p , pair q ) { if ( p [ 0 ] ) { p [ 1 ] = q . a ; } } \
        void host ( int n ) { for ( int i = 0 ; i < n ; i ++ ) { k0 <<< 1 , n >>> ( 0 , pair { } ) ; } } } \
        typedef unsigned int word ; __global__ void k1 ( word * p ) { switch ( p [ 0 ] ) { case 1 : break ; default : p [ 2 ] = twice ( 3 ) ; } } \
        class c { virtual ~ c ( ) ; int x ; } ; extern \"C\" { __global__ void k2 ( float * p ) { auto f = [ ] ( ) { } ; while ( * p ) { * p = 1 ; } } } \
        __device__ int table [ 4 ] = { 1 , 2 , 3 , 4 } ; template < int N > __global__ void k3 ( int * p ) { p [ N ] = table [ N ] ; } \
        template __global__ void k3 < 2 > ( int * ) ; int main ( ) { return 0 ; } __global__ void k4 ( int * p ) { n :: host ( 3 ) ; }";
    const KERNELS: [(&str, &str); 5] =
        [("k0", "int * p , pair q"), ("k1", "word * p"), ("k2", "float * p"), ("k3", "int * p"), ("k4", "int * p")];
    let tokens: Vec<&str> = TEXT.split(' ').filter(|token| !token.is_empty()).collect();
    let mut seen = [0; 2];
    for seed in seeds(600) {
        let mut random = SplitMix64::new(seed);
        let mut damaged = tokens.clone();
        let mut first = tokens.len();
        for _ in 0..1 + random.next_u64() % 3 {
            let at = random.next_u64() as usize % damaged.len();
            first = first.min(at);
            match random.next_u64() % 4 {
                0 => drop(damaged.remove(at)),
                1 => damaged.insert(at, tokens[random.next_u64() as usize % tokens.len()]),
                2 => damaged[at] = tokens[random.next_u64() as usize % tokens.len()],
                _ => {
                    let other = random.next_u64() as usize % damaged.len();
                    damaged.swap(at, other);
                    first = first.min(other);
                }
            }
        }
        // Some are cut off, too.
        if random.next_u64().is_multiple_of(4) {
            damaged.truncate(first + 1);
        }
        let (text, before) = (damaged.join(" "), tokens[..first].join(" "));
        let translation = kernels_of(&text);
        let of_whole = |error: &Diagnostic| error.message.starts_with("nothing in this file is understood");
        if translation.has_errors() && translation.diagnostics.iter().all(of_whole) && !text.contains("__global__") {
            continue;
        }
        assert!(!translation.has_errors(), "seed {seed}: {text}");
        assert_eq!(broken_rules(&lowered(&translation, TOKENS)), [""; 0], "seed {seed}: {text}");
        let understood = defined(&translation);
        let left_out =
            translation.left_out.iter().filter(|left_out| left_out.is_kernel).map(|left_out| &*left_out.name);
        let last = |name: &str| name.rsplit("::").next().unwrap_or(name).split('<').next().unwrap_or(name).to_owned();
        for (number, (kernel, parameters)) in KERNELS.into_iter().enumerate() {
            if before.contains(&format!("__global__ void k{}", number + 1)) {
                assert!(understood.iter().any(|name| last(name) == kernel), "seed {seed}, {kernel}: {text}");
            }
            if !text.contains(&format!("__global__ void {kernel} ( {parameters} ) {{")) {
                continue;
            }
            let is_understood = understood.iter().any(|name| last(name) == kernel);
            seen[usize::from(is_understood)] += 1;
            assert!(
                is_understood || left_out.clone().any(|name| last(name) == kernel),
                "seed {seed}, {kernel}: {text}"
            );
        }
    }
    println!("left out, understood: {seen:?}");
    assert!(is_part() || seen[1] > 1_000 && seen[0] * 100 < seen[1], "{seen:?}");
}

/// Macros of a header that is not there, wherever the specifiers of a kernel may stand.
#[test]
fn macros_around_kernels() {
    let text = "__global__ void BOUNDS(256) a(int *p) { *p = 1; }
__global__ void BOUNDS(256, sizeof(int))
b(int *p) { *p = 1; }
__global__ BOUNDS(256) void c(int *p) { *p = 1; }
BOUNDS(256) __global__ void d(int *p) { *p = 1; }
__global__ BOUNDS void e(int *p) { *p = 1; }
template <typename T> __global__ void BOUNDS(256) f(T *p) { *p = 1; }
static __device__ FORCE_INLINE int g(int n) { return n; }
__device__ FORCE_INLINE unknown_t h(unknown_t n) { return n; }
extern \"C\" EXPORT __global__ void i(int *p) { *p = g(1); }
";
    let translation = kernels_of(text);
    assert!(translation.left_out.is_empty(), "{:?}", translation.left_out);
    assert!(translation.passed_over.is_empty(), "{:?}", translation.passed_over);
    assert_eq!(defined(&translation), ["a", "b", "c", "d", "e", "g", "h", "i", "f<unknown>"]);
}

/// Templates that differ only in whom `enable_if` lets in are overloads, wherever it stands; a call takes the one that is let in.
#[test]
fn overloads_that_enable_if_tells_apart() {
    let text = "template <bool B, typename T = void> struct enable_if {};
template <typename T> struct enable_if<true, T> { using type = T; };
template <bool B, typename T = void> using enable_if_t = typename enable_if<B, T>::type;
template <int N, enable_if_t<(N > 4)> * = nullptr> __device__ int in_parameters() { return 1; }
template <int N, enable_if_t<(N <= 4)> * = nullptr> __device__ int in_parameters() { __syncthreads(); return 2; }
template <int N> __device__ enable_if_t<(N > 4), int> in_result(int n) { return n; }
template <int N> __device__ enable_if_t<(N <= 4), int> in_result(int n) { __syncwarp(); return n; }
template <typename T> struct number {
  T value;
  template <int N = sizeof(T), enable_if_t<(N > 4)> * = nullptr> __device__ T get() const { return value; }
  template <int N = sizeof(T), enable_if_t<(N <= 4)> * = nullptr> __device__ T get() const { return -value; }
};
__global__ void k(int *p, number<int> *some, number<long long> *others) {
  p[0] = in_parameters<8>() + in_result<8>(1);
  p[1] = in_parameters<2>() + in_result<2>(1);
  p[2] = some->get() + (int)others->get();
}
";
    let ir = whole(text);
    assert_eq!(ir.matches("call void @llvm.nvvm.barrier.cta.sync.aligned.all").count(), 1, "{ir}");
    assert_eq!(ir.matches("call void @llvm.nvvm.bar.warp.sync").count(), 1, "{ir}");
    // The same text twice is one definition too many.
    let twice = "template <int N> __device__ int f() { return N; } template <int N> __device__ int f() { return N; }";
    assert!(translated(Dialect::Cuda, twice).has_errors());
}

/// What headers of the C++ standard library bring along is read once, whichever ask for it.
#[test]
fn headers_that_others_imply_are_read_once() {
    let text = "#include <array>
#include <memory>
struct s { std::is_same<int, int> same; };
#include <utility>
__global__ void k(int *p) { int n = 1; p[0] = std::move(n) + std::numeric_limits<int>::max() + std::conditional<true, int, long>::type(1); }
";
    whole(text);
}

/// An expression in the arguments of a specialisation may have a type that is not known before the template's parameter is.
#[test]
fn expressions_of_types_that_depend_on_parameters() {
    let text = "#include <utility>
template <class T, class = void> struct iterated { static constexpr int value = 0; };
template <class T> struct iterated<T, std::void_t<decltype(begin(std::declval<T &>()), end(std::declval<T &>()))>> { static constexpr int value = 1; };
__global__ void k(int *p) { p[0] = iterated<int>::value; }
";
    let ir = lowered(&kernels_of(text), TOKENS);
    assert_eq!(broken_rules(&ir), [""; 0], "{ir}");
}

/// Constructors and destructors outside of their classes cost nothing behind them, however they are written.
#[test]
fn what_stands_behind_a_constructor_outside_of_its_class() {
    for special in [
        "template <class T> A<T>::~A() throw() {}",
        "template <class T> A<T>::A() = default;",
        "template <class T> A<T>::A() : n(1);",
        "template <class T> A<T>::A() : n(1), {}",
        "template <class T> A<T>::A() noexcept(true) { a b c; }",
    ] {
        let text = format!(
            "template <class T> struct A {{ A(); ~A() throw(); int n; }};
{special}
struct s {{ int n; }};
__global__ void k(s *p) {{ p->n = 1; }}"
        );
        let translation = kernels_of(&text);
        let program = translation.program.as_ref().expect("a program");
        let kernel = program.functions.values().find(|data| data.name == "k").expect("the kernel");
        assert!(kernel.unknown.is_empty(), "{special}: {:?}", kernel.unknown);
    }
}

/// A member of a type that nothing declares may be named as its class, or as another type.
#[test]
fn names_of_types_that_are_declared_again() {
    let text = "struct other { int n; };
struct queue { Handle queue; int family; };
struct more { Handle other, queue; };
__global__ void k(queue *q, more *m) { Handle other = m->other; q->family += 1 + sizeof(queue); take(other); }
";
    shows(
        text,
        expect![[r#"
        understood: k
        unknown in k: `Handle` is not a known type
    "#]],
    );
}

/// A specialisation may be declared before it is defined, and used in between.
#[test]
fn specialisations_that_are_declared_first() {
    let text = |behind: &str| {
        format!(
            "template <typename T> __device__ T half_of(T v) {{ return v / 2; }}
template <> __device__ int half_of(int v);
__device__ int used(int n) {{ return half_of(n); }}
template <> __device__ int half_of(int v) {{ __syncthreads(); return v >> 1; }}
{behind}
__global__ void k(int *p) {{ p[0] = used(p[1]) + half_of(p[2]); }}"
        )
    };
    let ir = whole(&text(""));
    assert_eq!(ir.matches("define ").count(), 3, "{ir}");
    let twice = translated(Dialect::Cuda, text("template <> __device__ int half_of(int v) { return v; }"));
    assert!(wrong(&twice).contains("this specialisation of `half_of` is defined twice"), "{}", wrong(&twice));
}

/// Types that nothing declares may be several types: each specialisation is a function of its own, and a call may mean any of them.
#[test]
fn specialisations_for_types_that_are_not_known() {
    let text = "template <typename T> __device__ T down(T v, int n) { return __shfl_down_sync(~0u, v, n); }
template <> __device__ cfloat down<cfloat>(cfloat v, int n) { __syncwarp(); return v; }
template <> __device__ cdouble down(cdouble v, int n) { __syncthreads(); return v; }
template <> __device__ double down(double v, int n) { __threadfence(); return v; }
template <typename T> __device__ T scalar(double value) { return (T)value; }
template <> __device__ cfloat scalar<cfloat>(double value) { __syncwarp(); return make(value); }
template <typename T> __global__ void k(T *p) { p[0] = down(p[1], 1); p[2] = scalar<T>(1.0); }
template __global__ void k<cfloat>(cfloat *);
template __global__ void k<int>(int *);
__global__ void numbers(int *p, double *q) { *p = down(p[1], 1); *q = down(q[1], 2); }
";
    shows(
        text,
        expect![[r#"
            understood: down<unknown> down<unknown> down<double> scalar<unknown> k<unknown> down<unknown> scalar<unknown> k<int> down<int> scalar<int> numbers
            unknown in down<unknown>: `cfloat` is not a known type
            unknown in down<unknown>: `cdouble` is not a known type
            unknown in scalar<unknown>: the function `make` is not declared
            open in k<unknown>: nothing says what the template's parameter `T` is
            open in down<unknown>: nothing says what the template's parameter `T` is
            open in scalar<unknown>: nothing says what the template's parameter `T` is
        "#]],
    );
    let ir = lowered(&kernels_of(text), TOKENS);
    let of_kernel = ir.split("define ").find(|text| text.contains("1kI7unknown")).expect("an instance");
    // The template and its three specialisations, then the template and its one.
    let calls = |of: &str| of_kernel.lines().filter(|line| line.contains(" call ") && line.contains(of)).count();
    assert_eq!((calls("@_Z4down"), calls("@_Z6scalar")), (4, 2), "{ir}");
}

/// Conditions in bases and behind parameters; what asks a trait that nobody knows may be meant or not.
#[test]
fn conditions_of_templates_are_expressions() {
    let text = "#include <type_traits>
template <class T, unsigned N> struct is_wide : std::integral_constant<bool, (N % 2 == 0) && (sizeof(T) < 8)> {};
template <class T, unsigned N> __device__ auto load(T *p, T (&items)[N]) -> typename std::enable_if<is_wide<T, N>::value>::type { __syncthreads(); }
template <class T, unsigned N> __device__ auto load(T *p, T (&items)[N]) -> typename std::enable_if<!is_wide<T, N>::value>::type { __syncwarp(); }
template <typename T> void as_constant(const T &&t) = delete;
template <typename T> using same [[deprecated(\"another name\")]] = T;
struct add { template <int N, typename T> __device__ static void run(T *p) { p[0] += N; } };
template <typename B> __global__ void one(int *p) { B::template run<4>(p); same<int> n = 1; p[1] = n; }
template __global__ void one<add>(int *);
__global__ void k(int *p) { int four[4], three[3]; load(p, four); load(p, three); }
template <typename P> __global__ void __launch_bounds__(P::threads) bounded(int *p) { *p = 1; }
";
    let ir = whole(text);
    assert_eq!(ir.matches("call void @llvm.nvvm.barrier.cta.sync.aligned.all").count(), 1, "{ir}");
    let text = "#include <type_traits>
template <class T> __device__ typename std::enable_if<std::is_trivially_copyable<T>::value && (sizeof(T) % 4 == 0), T>::type get(T t) { return t; }
template <class T> __device__ typename std::enable_if<!other::is_small_v<T> || !std::is_trivially_copyable<T>::value, T>::type get(T t) { return -t; }
__global__ void k(int *p) { p[0] = get(p[1]); }
";
    let translation = kernels_of(text);
    assert!(translation.left_out.is_empty() && translation.passed_over.is_empty(), "{:?}", translation.passed_over);
    let program = translation.program.as_ref().expect("a program");
    let kernel = program.functions.values().find(|data| data.name == "k").expect("the kernel");
    assert!(kernel.unknown[0].reason.message.starts_with("several functions `get` take (int)"), "{:?}", kernel.unknown);
}

/// No constructor or conversion that is `explicit` is called where nobody writes it: its own condition may need a comparison that could call it.
#[test]
fn explicit_conversions_have_to_be_written() {
    let text = "template <bool B, typename T = void> struct enable_if {};
template <typename T> struct enable_if<true, T> { using type = T; };
enum kind { plain, truth };
template <typename T, kind K> struct wrapper {
  T value;
  template <kind L = K, typename enable_if<(L != truth)>::type * = nullptr> __device__ explicit wrapper(T v) : value{v} {}
  template <typename F, kind L = K, typename enable_if<(L == truth)>::type * = nullptr>
  __device__ explicit wrapper(F v) : value{(T)v} {}
  __device__ explicit(true) operator T() const { return value; }
};
template <typename T, kind K> __device__ bool operator==(const wrapper<T, K> &a, const wrapper<T, K> &b) { return a.value == b.value; }
__device__ bool operator==(const wrapper<int, truth> &a, const wrapper<int, truth> &b) { return a.value == b.value; }
__device__ bool operator!=(const wrapper<int, truth> &a, const wrapper<int, truth> &b) { return a.value != b.value; }
struct length { int n; __device__ explicit length(int n) : n(n) {} __device__ explicit operator bool() const { return n; } };
__device__ int taken(length) { return 1; }
__device__ int taken(long) { return 2; }
__global__ void k(wrapper<int, truth> *p, int *q) {
  p[0] = static_cast<wrapper<int, truth>>(q[0] - q[1]);
  p[1] = wrapper<int, truth>(q[2]);
  q[3] = taken(q[4]);
  if (length(q[5]) && p[0] != p[1]) q[6] = (int)p[0];
}
";
    let ir = whole(text);
    assert!(ir.contains("call i32 @_Z5takenl") && !ir.contains("call i32 @_Z5taken6length"), "{ir}");
}

/// A label whose value another one has, or that is a range of nothing, keeps what is behind it.
#[test]
fn a_label_that_is_wrong_costs_no_statement() {
    let text = "enum kind { first = 1, other = 1 };
__global__ void twice(int *p, int n) {
  switch (n) { case first: *p = 1; break; case other: __syncthreads(); break; default: *p = 2; }
}
__global__ void nothing(int *p, int n) {
  switch (n) { case 3 ... 2: __syncthreads(); break; case unknown: *p = 1; break; case 4: *p = 2; }
}
__global__ void defaults(int *p, int n) {
  switch (n) { default: *p = 1; break; case 1: *p = 3; break; default: *p = 2; }
}
";
    let translation = kernels_of(text);
    assert_eq!(defined(&translation), ["twice", "nothing", "defaults"]);
    let ir = lowered(&translation, TOKENS);
    assert_eq!(broken_rules(&ir), [""; 0]);
    assert_eq!(ir.matches("call void @llvm.nvvm.barrier.cta.sync.aligned.all").count(), 2, "{ir}");
    let program = translation.program.as_ref().expect("a program");
    assert!(program.functions.values().filter(|data| data.is_kernel).all(|data| !data.unknown.is_empty()));
}

/// A specialisation belongs to the template that has its result, too.
#[test]
fn a_specialisation_has_the_result_of_its_template() {
    let text = "template <typename T> struct pair { T x, y; };
template <typename T> __device__ T size(const T &v) { return v; }
template <typename T> __device__ T size(const pair<T> &v) { return v.x; }
template <> __device__ double size(const pair<double> &v) { return v.x * v.y; }
template <> __device__ int size(const int &v) { return v + 1; }
__global__ void k(double *p, int *q) { pair<double> v{p[0], p[1]}; p[0] = size(v); *q = size(*q); }
";
    let translation = kernels_of(text);
    assert!(translation.left_out.is_empty(), "{:?}", translation.left_out);
    let ir = lowered(&translation, TOKENS);
    assert_eq!(broken_rules(&ir), [""; 0]);
    assert!(ir.contains("fmul double") && ir.contains("add nsw i32") | ir.contains("add i32"), "{ir}");
}

/// What an instruction of AMD's has to know when it is made is a number there, however it is written.
#[test]
fn immediate_operands_are_numbers() {
    let options = Options { reading: Reading::Kernels, ..Options::new(Dialect::Hip) };
    let read = |text: &str| translate(Path::new("input"), text.into(), &options, SourceModel::default());
    let translation = read(
        "__global__ void k() { __builtin_amdgcn_s_waitcnt(0 | (7 << 4) | (0xf << 8)); __builtin_amdgcn_s_sleep(1 + 1); }",
    );
    let ir = lowered(&translation, TOKENS);
    assert_eq!(broken_rules(&ir), [""; 0]);
    assert!(ir.contains("@llvm.amdgcn.s.waitcnt(i32 3952)") && ir.contains("@llvm.amdgcn.s.sleep(i32 2)"), "{ir}");
    let translation = read("__global__ void k(int n) { __builtin_amdgcn_s_waitcnt(n); }");
    assert_eq!(broken_rules(&lowered(&translation, TOKENS)), [""; 0]);
    let data = translation.program.iter().flat_map(|program| program.functions.values()).find(|data| data.name == "k");
    assert_eq!(data.expect("the kernel").unknown[0].reason.message, "this argument has to be a constant");
}

/// One header under two names is one header.
#[test]
fn headers_of_pairs_are_read_once() {
    let text = "#include <hip/hip_bf16.h>\n#include <hip/hip_bfloat16.h>\n#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n#include <hip/hip_fp16.h>
__global__ void k(half2 *p) { p[0] = __hadd2(p[0], p[1]); }\n";
    let translation = kernels_of(text);
    assert_eq!(wrong(&translation), "");
    assert!(translation.left_out.is_empty(), "{:?}", translation.left_out);
}

/// Images of half floats, as `cl_khr_fp16` has them.
#[test]
fn images_of_halves_are_read() {
    let text = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void k(read_only image2d_t from, write_only image2d_t to, sampler_t s) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  half4 v = read_imageh(from, s, at);
  write_imageh(to, at, v + read_imageh(from, at));
}
";
    assert_eq!(wrong(&translated(Dialect::OpenCl, text)), "");
}

/// C++ says which functions are convergent; what a host calls that is not known is not.
#[test]
fn what_a_host_calls_is_not_convergent() {
    let options = Options { reading: Reading::Kernels, ..Options::new(Dialect::Cpp) };
    let text = "int main() { std::vector<int> all = make(3); Queue queue(all); queue.run(); return 0; }";
    let translation = translate(Path::new("input"), text.into(), &options, SourceModel::default());
    let program = translation.program.as_ref().expect("a program");
    assert!(program.functions.values().any(|data| data.is_unknown()));
    assert!(program.functions.values().all(|data| !data.is_unknown() || !data.is_convergent));
}

#[test]
fn assertions_of_a_class_are_taken_to_hold() {
    shows(
        "struct s { using type = unsigned; static_assert(sizeof(type) == 4); };\n\
         __global__ void k(int *p) { *p = sizeof(s::type); }\n",
        expect![[r#"
            understood: k
        "#]],
    );
}
