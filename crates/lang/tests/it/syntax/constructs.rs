//! What each construct becomes.

use expect_test::{Expect, expect};
use reconverge_lang::options::Dialect;

use crate::syntax::support::show;

fn check(dialect: Dialect, text: &str, expected: Expect) {
    expected.assert_eq(&show(text, dialect));
}

fn body(dialect: Dialect, text: &str, expected: Expect) {
    check(dialect, &format!("void f() {{ {text} }}"), expected);
}

#[test]
fn a_kernel_of_opencl() {
    check(
        Dialect::OpenCl,
        "kernel __attribute__((reqd_work_group_size(8, 4, 1))) void k(global const float *restrict in, local uint4 *out,\n\
         read_only image2d_t image) {\n\
           local float shared[16][4];\n\
           #pragma unroll\n\
           for (int i = get_local_id(0), j = 0; i < 16; i += 2, ++j)\n\
             shared[i][j & 3] = in[i] * 2.0f;\n\
           barrier(CLK_LOCAL_MEM_FENCE);\n\
         }",
        expect![[r#"
            (function k: fn(in: *restrict const global float, out: *local u32x4, image: [[read_only]] image2d_t)->[[reqd_work_group_size(8, 4, 1)]] kernel void
              (block
                (declare shared: [16][4]local float)
                (for
                  (declare i: i32 = (call get_local_id 0); j: i32 = 0) (< i 16) (, (+= i 2) (++before j))
                  ((= (index (index shared i) (& j 3)) (* (index in i) 2.0f))))
                ((call barrier CLK_LOCAL_MEM_FENCE))))
        "#]],
    );
}

#[test]
fn binary_operators_bind_as_in_c() {
    body(
        Dialect::C,
        "a = b + c * d - e << f & g ^ h | i && j || k == l < m;",
        expect![[r#"
        (function f: fn()->void
          (block
            ((= a (|| (&& (| (^ (& (<< (- (+ b (* c d)) e) f) g) h) i) j) (== k (< l m)))))))
    "#]],
    );
    body(
        Dialect::C,
        "a = b ? c : d ? e : f; a += b = c; a, b, c; a - b - c;",
        expect![[r#"
        (function f: fn()->void
          (block
            ((= a (? b c (? d e f))))
            ((+= a (= b c)))
            ((, (, a b) c))
            ((- (- a b) c))))
    "#]],
    );
}

#[test]
fn operators_before_and_behind() {
    body(
        Dialect::C,
        "-a.b[1](2, 3)->c++; *&a; !~+a; --*p; sizeof a + sizeof(int) + sizeof(a); a[b, c];",
        expect![[r#"
        (function f: fn()->void
          (block
            ((- (++after (-> (call (index (. a b) 1) 2 3) c))))
            ((* (& a)))
            ((! (~ (+ a))))
            ((--before (* p)))
            ((+ (+ (sizeof a) (sizeof-type i32)) (sizeof a)))
            ((index a (, b c)))))
    "#]],
    );
}

#[test]
fn casts_and_literals() {
    body(
        Dialect::OpenCl,
        "(int)a + (float4)(1, 2) * (float4)(x) - (f)(x); (short2)(a).x; (float2)a; (int (*)[3])p;",
        expect![[r#"
            (function f: fn()->void
              (block
                ((- (+ (cast i32 a) (* (vector floatx4 1 2) (vector floatx4 x))) (call f x)))
                ((cast i16x2 (. a x)))
                ((cast floatx2 a))
                ((cast *[3]i32 p))))
        "#]],
    );
    body(
        Dialect::Cpp,
        "int(a) + float{1}; static_cast<const int *>(p); (T)(a); (struct s){.a = 1, .b[2] = {3}}; unsigned(x); int(x);",
        expect![[r#"
            (function f: fn()->void
              (block
                ((+ (construct i32 a) (construct float 1)))
                ((static_cast *const i32 p))
                ((call T a))
                ((literal struct s {.a = 1, .b[2] = {3}}))
                (declare x: u32)
                (declare x: i32)))
        "#]],
    );
}

#[test]
fn a_typedef_of_a_vector_makes_vector_literals() {
    check(
        Dialect::OpenCl,
        "typedef float4 a; typedef float b __attribute__((ext_vector_type(4))); typedef float c; a d; \n\
         void f() { (a)(1, 2); (b)(1, 2); (c)(1, 2); }",
        expect![[r#"
            (declare a: typedef floatx4)
            (declare [[ext_vector_type(4)]] b: typedef float)
            (declare c: typedef float)
            (declare d: 'a)
            (function f: fn()->void
              (block
                ((vector 'a 1 2))
                ((vector 'b 1 2))
                ((cast 'c (, 1 2)))))
        "#]],
    );
}

#[test]
fn declarators_are_read_from_the_name_outwards() {
    check(
        Dialect::OpenCl,
        "int *a[3]; int (*b)[3]; int (*c)(int, float *); int *(*d[2])(void); char *const *volatile e; \n\
         global int *local *private f; int g(int (*)(int), int x[4], ...), h; int (*i(int a))[2]; void (*j)(int (x));",
        expect![[r#"
            (declare a: [3]*i32)
            (declare b: *[3]i32)
            (declare c: *fn(_: i32, _: *float)->i32)
            (declare d: [2]*fn()->*i32)
            (declare e: *volatile *const char)
            (declare f: *private *local global i32)
            (function g: fn(_: *fn(_: i32)->i32, x: [4]i32, ...)->i32)
            (declare h: i32)
            (function i: fn(a: i32)->*[2]i32)
            (declare j: *fn(x: i32)->void)
        "#]],
    );
}

#[test]
fn integer_types_in_any_order() {
    check(
        Dialect::C,
        "unsigned a; long unsigned int b; long long c; short int d; signed char e; char f; long double g; int long h; \n\
         unsigned long long int i; uint32_t j; size_t k; bool l;",
        expect![[r#"
            (declare a: u32)
            (declare b: u64)
            (declare c: longlong)
            (declare d: i16)
            (declare e: i8)
            (declare f: char)
            (declare g: double)
            (declare h: i64)
            (declare i: ulonglong)
            (declare j: u32)
            (declare k: u64)
            (declare l: bool)
        "#]],
    );
}

#[test]
fn records_and_enumerations() {
    check(
        Dialect::C,
        "struct s { int a, *b; struct { float c; union { int d; float e; }; } f; unsigned g : 3, : 2; };\n\
         typedef struct __attribute__((packed)) { char h; } t; enum e { A, B = 3, C, }; struct s v = { 1, .a = 2 };\n\
         union u { int x; } w; struct later; struct s *p;",
        expect![[r#"
            (declare struct s {(declare a: i32; b: *i32) (declare f: struct _ {(declare c: float) (declare union _ {(declare d: i32) (declare e: float)})}) (declare g: u32 : 3; _: u32 : 2)})
            (declare t: typedef [[packed]] struct _ {(declare h: char)})
            (declare enum e {A, B = 3, C})
            (declare v: struct s = {1, .a = 2})
            (declare w: union u {(declare x: i32)})
            (declare struct later)
            (declare p: *struct s)
        "#]],
    );
    check(
        Dialect::Cpp,
        "struct s { int a; struct inner { int b; } c; public: float d = 1; }; s v; s::inner w; class c { int x; };\n\
         enum class e : unsigned char { A, B }; e x = e::A; enum plain { P }; int y = P + plain::P;",
        expect![[r#"
            (declare struct s {(declare a: i32) (declare c: struct s::inner {(declare b: i32)}) (declare d: float = 1)})
            (declare v: 's)
            (declare w: 's::inner)
            (declare struct c {(declare x: i32)})
            (declare enum class e : u8 {A, B})
            (declare x: 'e = e::A)
            (declare enum plain {P})
            (declare y: i32 = (+ P P))
        "#]],
    );
}

#[test]
fn statements() {
    body(
        Dialect::C,
        "if (a) b; else if (c) d; else { e; } while (a) continue; do { break; } while (b); for (;;) ; return; return 1; ;",
        expect![[r#"
            (function f: fn()->void
              (block
                (if a
                  (b)
                  (if c
                    (d)
                    (block
                      (e))))
                (while a
                  (continue))
                (do-while b
                  (block
                    (break)))
                (for _ _
                  (empty))
                (return)
                (return 1)
                (empty)))
        "#]],
    );
    body(
        Dialect::C,
        "goto out; out: a; end:",
        expect![[r#"
            (function f: fn()->void
              (block
                (goto out)
                (label out
                  (a))
                (label end
                  (empty))))
        "#]],
    );
}

#[test]
fn labels_of_a_switch_stand_anywhere() {
    body(
        Dialect::C,
        "switch (n % 4) { case 0: do { *to = *from++; case 3: a; case 1 ... 2: default: b; } while (--n > 0); case 9: }",
        expect![[r#"
            (function f: fn()->void
              (block
                (switch (% n 4)
                  (block
                    (case 0
                      (do-while (> (--before n) 0)
                        (block
                          ((= (* to) (* (++after from))))
                          (case 3
                            (a))
                          (case 1 ... 2
                            (default
                              (b))))))
                    (case 9
                      (empty))))))
        "#]],
    );
}

#[test]
fn attributes_of_statements() {
    body(
        Dialect::Cpp,
        "[[clang::noconvergent]] { a; } __attribute__((noconvergent)) while (b) c; [[x::y(1), likely]] f(); \n\
         [[maybe_unused]] int z; l: [[fallthrough]]; a = __attribute__((convergent)) g();",
        expect![[r#"
            (function f: fn()->void
              (block
                ([[noconvergent]] block
                  (a))
                ([[noconvergent]] while b
                  (c))
                ([[y(1)]] [[likely]] (call f))
                ([[maybe_unused]] declare z: [[maybe_unused]] i32)
                (label l
                  ([[fallthrough]] empty))
                ((= a ([[convergent]] (call g))))))
        "#]],
    );
}

#[test]
fn conditions_that_declare() {
    body(
        Dialect::Cpp,
        "if (int x = f()) g(x); if (int y = 1; y > 0) h(); if (a = 1; b) c; while (auto p = next()) ; if constexpr (N) d;\n\
         for (int i = 0; bool more = i < 3; ++i) e; for (auto &v : values) v = 1; for (int w : a) ;",
        expect![[r#"
            (function f: fn()->void
              (block
                (if (declare x: i32 = (call f))
                  ((call g x)))
                (if
                  (declare y: i32 = 1) (> y 0)
                  ((call h)))
                (if
                  ((= a 1)) b
                  (c))
                (while (declare p: auto = (call next))
                  (empty))
                (if-constexpr N
                  (d))
                (for
                  (declare i: i32 = 0) (declare more: bool = (< i 3)) (++before i)
                  (e))
                (for-each (declare v: &auto) in values
                  ((= v 1)))
                (for-each (declare w: i32) in a
                  (empty))))
        "#]],
    );
}

#[test]
fn kernels_of_cuda() {
    check(
        Dialect::Cuda,
        "extern __shared__ float dynamic[]; __constant__ int table[4] = {1, 2}; __device__ int counter;\n\
         extern \"C\" __global__ void __launch_bounds__(256, 2) k(float4 *__restrict__ p, dim3 d) {\n\
           __shared__ float2 tile[32][33]; p[threadIdx.x].x = make_float4(1, 2, 3, 4).y; }\n\
         extern \"C\" { __host__ __device__ __forceinline__ int both(int x) { return x; } __noinline__ __device__ void n(); }\n\
         __attribute__((global)) void m() { __attribute__((shared)) int s; }",
        expect![[r#"
            (declare dynamic: []extern local float)
            (declare table: [4]constant i32 = {1, 2})
            (declare counter: device global i32)
            (function k: fn(p: *restrict floatx4c, d: dim3)->[[launch_bounds(256, 2)]] extern C kernel void
              (block
                (declare tile: [32][33]local floatx2c)
                ((= (. (index p (. threadIdx x)) x) (. (call make_float4 1 2 3 4) y)))))
            (function both: fn(x: i32)->[[always_inline]] C inline device host i32
              (block
                (return x)))
            (function n: fn()->[[noinline]] C device void)
            (function m: fn()->kernel void
              (block
                ([[shared]] declare s: local i32)))
        "#]],
    );
}

#[test]
fn templates_of_functions() {
    check(
        Dialect::Cuda,
        "template <typename T, int N = 4, class U = float> __device__ T sum(const T (&a)[N], U u) {\n\
           T all = T(0); for (int i = 0; i < N; ++i) all += a[i]; return static_cast<T>(all); }\n\
         template <int A> __device__ int shift(int x) { return A < 2 ? shift<(A > 1)>(x) : shift<A - 1>(x) >> A; }\n\
         template <> __device__ int shift<0>(int x) { return x; }\n\
         template int shift<3>(int); template <typename T> T id(T x); template float id(float);\n\
         __global__ void k(int *p) { sum<int, 2>(a, 1); id<id<int>>(3); id<const float *>(p) < 3; id(4); min<int>(1, 2); }",
        expect![[r#"
            (function template<type T, N: i32 = 4, type U = float> sum: fn(a: &[N]const 'T, u: 'U)->device 'T
              (block
                (declare all: 'T = (construct 'T 0))
                (for
                  (declare i: i32 = 0) (< i N) (++before i)
                  ((+= all (index a i))))
                (return (static_cast 'T all))))
            (function template<A: i32> shift: fn(x: i32)->device i32
              (block
                (return (? (< A 2) (call shift<(> A 1)> x) (>> (call shift<(- A 1)> x) A)))))
            (function template<> shift: fn(x: i32)->device i32 <0>
              (block
                (return x)))
            (function shift: fn(_: i32)->i32 <3>)
            (function template<type T> id: fn(x: 'T)->'T)
            (function id: fn(_: float)->float <>)
            (function k: fn(p: *i32)->kernel void
              (block
                ((call sum<i32, 2> a 1))
                ((call id<id<i32>> 3))
                ((< (call id<*const float> p) 3))
                ((call id 4))
                ((call min<i32> 1 2))))
        "#]],
    );
}

#[test]
fn namespaces_are_opened_up() {
    check(
        Dialect::Cpp,
        "namespace a { int x; struct s { int m; }; enum class e { A }; int f(int p) { int x = p; return x; } int g() { return f(x); }\n\
         namespace b { s t; int h() { return f(x) + ::x; } } inline namespace v { int w; } namespace { int u; } }\n\
         namespace c = a::b; namespace a::d { int y = x; } int x; a::s v; a::e w = a::e::A; int z = c::h() + a::x + x;\n\
         using namespace a; int o = f(x); using a::b::h; int q = h() + std::max(1, 2); e r;\n\
         int a::f(int); void i() { using namespace a::d; y; using T = a::s *; T p; }",
        expect![[r#"
            (declare a::x: i32)
            (declare struct a::s {(declare m: i32)})
            (declare enum class a::e {A})
            (function a::f: fn(p: i32)->i32
              (block
                (declare x: i32 = p)
                (return x)))
            (function a::g: fn()->i32
              (block
                (return (call a::f a::x))))
            (declare a::b::t: 'a::s)
            (function a::b::h: fn()->i32
              (block
                (return (+ (call a::f a::x) x))))
            (declare a::w: i32)
            (declare a::u: i32)
            (declare a::d::y: i32 = a::x)
            (declare x: i32)
            (declare v: 'a::s)
            (declare w: 'a::e = a::e::A)
            (declare z: i32 = (+ (+ (call a::b::h) a::x) x))
            (declare o: i32 = (call a::f x))
            (declare q: i32 = (+ (call a::b::h) (call std::max 1 2)))
            (declare r: 'a::e)
            (function a::f: fn(_: i32)->i32)
            (function i: fn()->void
              (block
                (empty)
                (a::d::y)
                (declare T: *typedef 'a::s)
                (declare p: 'T)))
        "#]],
    );
}

#[test]
fn names_hide_types() {
    body(
        Dialect::OpenCl,
        "typedef int T; T a; { float T = 1; T * a; (T)(a); } T * b; uint uint = 3; uint + 1;",
        expect![[r#"
            (function f: fn()->void
              (block
                (declare T: typedef i32)
                (declare a: 'T)
                (block
                  (declare T: float = 1)
                  ((* T a))
                  ((call T a)))
                (declare b: *'T)
                (declare uint: u32 = 3)
                ((+ uint 1))))
        "#]],
    );
}

#[test]
fn declaration_or_construction() {
    check(
        Dialect::Cpp,
        "struct S { int a; }; void f() { S(x); S(*p); S(g(x)); S a(1); S b{1, 2}; S c = S{1}; S d(); int(y) = 3; int e(z); \n\
         auto q = S{.a = 1}; return; }",
        expect![[r#"
            (declare struct S {(declare a: i32)})
            (function f: fn()->void
              (block
                (declare x: 'S)
                (declare p: *'S)
                ((construct 'S (call g x)))
                (declare a: 'S = 1)
                (declare b: 'S = {1, 2})
                (declare c: 'S = (construct 'S 1))
                (declare d: fn()->'S)
                (declare y: i32 = 3)
                (declare e: i32 = z)
                (declare q: auto = (literal 'S {.a = 1}))
                (return)))
        "#]],
    );
}

#[test]
fn using_auto_and_types_of_expressions() {
    check(
        Dialect::Cpp,
        "using T = const int *; using A = int[3]; constexpr auto x = 3; decltype(x) y; typeof(int *) z; auto f(int a) -> T;\n\
         static_assert(sizeof(T) == 8, \"eight\"); alignas(16) int v; __typeof__(x + 1) w;",
        expect![[r#"
            (declare T: *typedef const i32)
            (declare A: [3]typedef i32)
            (declare x: constexpr auto = 3)
            (declare y: typeof(x))
            (declare z: typeof(*i32))
            (function f: fn(a: i32)->'T)
            (static_assert (== (sizeof-type 'T) 8))
            (declare v: [[aligned(16)]] i32)
            (declare w: typeof((+ x 1)))
        "#]],
    );
}

#[test]
fn strings_and_constants() {
    body(
        Dialect::Cpp,
        "printf(\"a\" \"b\\n\", 'c', 1.5f, 0x1p3, true, nullptr, 10ull);",
        expect![[r#"
        (function f: fn()->void
          (block
            ((call printf "a" "b\n" 'c' 1.5f 0x1p3 true nullptr 10ull))))
    "#]],
    );
}

#[test]
fn initializers() {
    body(
        Dialect::C,
        "int a[] = { [2] = 1, 3, [0][1] = 4, }, b = { 1 }; struct s c = { .x.y = 1, .z = { 2, { 3 } } };",
        expect![[r#"
            (function f: fn()->void
              (block
                (declare a: []i32 = {[2] = 1, 3, [0][1] = 4}; b: i32 = {1})
                (declare c: struct s = {.x.y = 1, .z = {2, {3}}})))
        "#]],
    );
}

#[test]
fn attributes_of_functions() {
    check(
        Dialect::C,
        "void a(int) __attribute__((\"convergent\")); __attribute__((__noinline__, const)) static inline int b(void);\n\
         [[noreturn]] void c(void); _Noreturn void d(void) __asm__(\"name\"); int e(int x) __attribute__((format(printf, 1, 2)));",
        expect![[r#"
            (function [[convergent]] a: fn(_: i32)->void)
            (function b: fn()->[[noinline]] [[const]] static inline i32)
            (function c: fn()->[[noreturn]] void)
            (function d: fn()->[[noreturn]] void)
            (function [[format(printf, 1, 2)]] e: fn(x: i32)->i32)
        "#]],
    );
}
