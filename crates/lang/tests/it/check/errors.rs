//! What is wrong with a text, where, and why: one text for each error.

use expect_test::{Expect, expect};
use reconverge_lang::options::Dialect;

use crate::check::support::wrong_with;

fn c(text: &str, wrong: Expect) {
    wrong.assert_eq(&wrong_with(Dialect::C, text));
}

fn opencl(text: &str, wrong: Expect) {
    wrong.assert_eq(&wrong_with(Dialect::OpenCl, text));
}

fn cuda(text: &str, wrong: Expect) {
    wrong.assert_eq(&wrong_with(Dialect::Cuda, text));
}

#[test]
fn results_of_functions() {
    opencl(
        "kernel int k(void) { return 1; }\nkernel void l(void) { }\ntypedef void nothing;\nkernel nothing m(void) { }",
        expect![[r#"
        1:12: error: a kernel returns `void`, not `int`
    "#]],
    );
    cuda(
        "__global__ float k() { return 1; }",
        expect![[r#"
        1:18: error: a kernel returns `void`, not `float`
    "#]],
    );
    c(
        "void f()(int, int) { }\nint g(void)[2];\nint (*h(int))(int);",
        expect![[r#"
        1:6: error: a function does not return a function
        2:5: error: a function does not return an array
    "#]],
    );
}

#[test]
fn names() {
    c(
        "int count;\nvoid f(void) { cuont = missing; helper(); }\nvoid helpers(void);",
        expect![[r#"
        2:16: error: `cuont` is not declared; did you mean `count`?
        2:33: error: the function `helper` is not declared
    "#]],
    );
    c(
        "void f(int a) { int b; int b; b = a.x; a = f; }",
        expect![[r#"
        1:28: error: `b` is declared twice in the same scope
          1:21: declared here before
        1:35: error: `int` has no members, so no `x`
        1:42: error: `void (*)(int)` is not converted to `int` without a cast
    "#]],
    );
    c(
        "struct p { int left; };\nint f(struct p *q) { return q->lefd + q.left + q->left->x; }",
        expect![[r#"
        2:29: error: `p` has no member `lefd`; did you mean `left`?
    "#]],
    );
    c(
        "int f(int n) { return n; }\nint f(int n) { return 2; }\nlong f(int);",
        expect![[r#"
        2:5: error: the function `f` is defined twice
          1:5: defined here before
        3:6: error: `f` is declared with another type than before
          1:5: declared here before
    "#]],
    );
    opencl(
        "kernel void k(global int *p) { p[0] = get_globl_id(0); barier(1); }",
        expect![[r#"
            1:39: error: the function `get_globl_id` is not declared; did you mean `get_global_id`?
            1:56: error: the function `barier` is not declared; did you mean `barrier`?
        "#]],
    );
}

#[test]
fn calls() {
    c(
        "int f(int a, int b);\nint g(void) { return f(1) + f(1, 2, 3) + f(\"a\", 2); }",
        expect![[r#"
            2:22: error: `f` takes 2 arguments, but 1 is given
              1:5: declared here
        "#]],
    );
    c(
        "int g(int n) { return n(3); }",
        expect![[r#"
        1:23: error: a `int` cannot be called
    "#]],
    );
    opencl(
        "kernel void k(global float *p) { p[0] = fmin(p[0]); p[1] = dot(p, 1); }",
        expect![[r#"
        1:41: error: `fmin` does not take (float); it is `half fmin(half, half)`, `half2 fmin(half2, half2)`, `half3 fmin(half3, half3)`, …
        1:60: error: `dot` does not take (__global float *, int); it is `half dot(half, half)`, `half dot(half2, half2)`, `half dot(half3, half3)`, …
    "#]],
    );
    cuda(
        "__device__ int f(int, float);\n__device__ int f(float, int);\n__device__ int g() { return f(1, 2) + f(1); }",
        expect![[r#"
            3:29: error: several functions `f` take (int, int) equally well
              1:16: this one is declared here
              2:16: this one is declared here
        "#]],
    );
    cuda(
        "int host(int);\nint table[3];\n__device__ int g() { return host(1) + table[0]; }",
        expect![[r#"
        3:29: error: `host` is a function of the host, which threads of a device cannot call
          1:5: declared here without `__device__`
    "#]],
    );
    cuda(
        "template <typename T> __device__ T f(int);\n__device__ int g() { return f(1); }",
        expect![[r#"
        2:29: error: nothing says what `T` of the template `f` is in this call
          1:36: declared here
    "#]],
    );
    cuda(
        "template <int N> __device__ int f() { return f<N + 1>(); }\n__device__ int g() { return f<0>(); }",
        expect![[r#"
        1:46: error: the template `f` needs itself more than 500 times
    "#]],
    );
}

#[test]
fn types() {
    c(
        "struct s { int x; };\nvoid f(struct s a, int *p, float x) { a + 1; p * 2; x % 2; ~x; -p; *x; a = 3; p = x; p = 1; x = a; if (a) ; }",
        expect![[r#"
        2:41: error: `+` does not take `struct s` and `int`
        2:48: error: `*` does not take `int *` and `int`
        2:55: error: `%` does not take `float` and `float`
        2:60: error: `~` does not take `float`
        2:64: error: `-` does not take `int *`
        2:68: error: `*` does not take `float`
        2:74: error: `int` cannot be converted to `struct s`
        2:81: error: `float` cannot be converted to `int *`
        2:88: error: `int` is not converted to `int *` without a cast
        2:95: error: `struct s` cannot be converted to `float`
        2:104: error: a condition is a number or a pointer, not `struct s`
    "#]],
    );
    opencl(
        "void f(float4 v, int4 i, float3 w) { v + i; v = w; v.xyzwx; v.z9; v ? v : v; (float4)(1, 2); i << v;\nv.lo.z; v.xr; v.s; w.hi; }",
        expect![[r#"
            1:40: error: `+` does not take `float4` and `int4`
            1:47: error: `float3` cannot be converted to `float4`
            1:52: error: `xyzwx` names 5 lanes, and there is no vector of 5
            1:61: error: a vector has no lanes `z9`
            1:69: error: `?:` with a condition `float4` cannot choose between `float4` and `float4`
            1:79: error: a `float4` has 4 lanes, but 2 are given
            1:96: error: `<<` does not take `int4` and `float4`
            2:1: error: a vector of 2 has no lane 2, which `z` names
            2:9: error: a vector has no lanes `xr`
            2:15: error: a vector has no lanes `s`
            2:20: error: a vector of 3 has no lane 3, which `hi` names
        "#]],
    );
    opencl(
        "void f(local int *l, global int *g, constant int *c, int *p) { l = g; p = c; p = l; l = p; *c = 1; }",
        expect![[r#"
        1:66: error: a pointer `__global int *` cannot become `__local int *`: the address spaces do not overlap
        1:73: error: a pointer `__constant int *` cannot become `int *`: the address spaces do not overlap
        1:87: error: a pointer `int *` cannot become `__local int *`: the address spaces do not overlap
        1:95: error: a `const int` cannot be assigned to
    "#]],
    );
    c(
        "int f(void) { return; }\nvoid g(void) { return 1; }\nvoid h(void) { const int n = 1; n = 2; n++; int a[-1]; int b[n]; void v; }",
        expect![[r#"
        1:15: error: `f` returns `int`, so `return` needs a value
        2:16: error: `g` returns nothing, so `return` has no value
        3:35: error: a `const int` cannot be assigned to
        3:40: error: a `const int` cannot be assigned to
        3:51: error: an array cannot have -1 elements
        3:71: error: a variable cannot be `void`
    "#]],
    );
    c(
        "struct s;\nint f(struct s *p) { return sizeof(struct s) + p->x; }\nint g(int n) { int a[n]; return a[0]; }",
        expect![[r#"
            2:29: error: `struct s` is declared but not defined
            3:22: unsupported: arrays whose length is not a constant are not supported
              3:5: `g` is left out
        "#]],
    );
    c(
        "struct b { int x : 3; };\nint f(struct b *p) { return p->x; }\nint g(void) { return 1; }",
        expect![[r#"
            2:29: unsupported: bit-fields are not supported
              1:16: declared here
              2:5: `f` is left out
        "#]],
    );
    cuda(
        "enum class e { a }; __device__ int f(e x, const int *p) { int *q = p; const int &r = 3; int &s = 3; return x; }",
        expect![[r#"
        1:68: error: `const int *` does not become `int *`: that would lose `const`
        1:94: error: a reference to `int` cannot refer to a value that is in no variable; `const int &` can
        1:108: error: `e` cannot be converted to `int`
    "#]],
    );
}

#[test]
fn initialisers() {
    c(
        "int a[2] = {1, 2, 3}; int b[2] = {[5] = 1}; struct s { int x; } c = {.y = 1}; char d[2] = \"abc\"; int e = {1, 2}; int n; int f = n;",
        expect![[r#"
            1:12: error: there are more values than a `int[2]` has parts (2)
            1:36: error: the designator 5 is beyond the end of the array
            1:71: error: `s` has no member `y`
            1:84: error: a string of 3 characters does not fit in an array of 2
            1:106: error: a `int` starts with one value, not 2
            1:125: error: this is not known when the program is translated, so no variable of the program starts with it
        "#]],
    );
    opencl(
        "constant int a; local int b = 3; kernel void k() { local int c = 1; constant int d = 2; }",
        expect![[r#"
        1:14: error: `a` is constant but starts with nothing
        1:27: error: a variable in local memory cannot start with a value
        1:62: error: a variable in local memory cannot start with a value
    "#]],
    );
}

#[test]
fn statements() {
    c(
        "void f(int n) { break; continue; case 1: ; default: ; switch (n) { continue; } }",
        expect![[r#"
        1:17: error: `break` outside of a loop or `switch`
        1:24: error: `continue` outside of a loop
        1:34: error: `case` outside of a `switch`
        1:44: error: `default` outside of a `switch`
        1:68: error: `continue` outside of a loop
    "#]],
    );
    c(
        "void f(int n, float x) { switch (n) { case 1: case 2: case 1: case 0 ... 5: case n: ; default: ; default: ; } switch (x) { } }",
        expect![[r#"
            1:55: error: the value 1 has two `case` labels in one `switch`
              1:39: the other one is here
            1:63: error: the value 2 has two `case` labels in one `switch`
              1:47: the other one is here
            1:82: error: the value of a `case` is not constant
            1:98: error: a `switch` has one `default`
              1:87: the other one is here
            1:111: error: a `switch` asks for an integer, not `float`
        "#]],
    );
    c(
        "void f(int n) { goto nowhere; again: goto agian; again: ; }",
        expect![[r#"
            1:17: error: there is no label `nowhere` in this function
            1:38: error: there is no label `agian` in this function; did you mean `again`?
            1:50: error: the label `again` stands twice in this function
              1:31: it stands here before
        "#]],
    );
    c(
        "_Static_assert(sizeof(int) == 8, \"no\");\nvoid f(int n) { _Static_assert(n, \"\"); }",
        expect![[r#"
        1:1: error: the condition of a static assertion is false
        2:17: error: the condition of a static assertion is not constant
    "#]],
    );
}

#[test]
fn jumps_into_noconvergent_statements() {
    c(
        "void f(int n) {
           if (n) goto in;
           [[clang::noconvergent]] { goto in; in: n++; goto out; }
           out:
           switch (n) {
             case 1: ;
             [[clang::noconvergent]] { case 2: n--; default: ; }
           }
           [[clang::noconvergent]] switch (n) { case 3: ; }
         }",
        expect![[r#"
            2:19: unsupported: this `goto` goes to `in` inside a `noconvergent` statement, and is outside of it
              3:47: `in` stands here
              3:12: the `noconvergent` statement begins here
              1:6: `f` is left out
            7:40: unsupported: this `case` is inside a `noconvergent` statement, but its `switch` is outside of it
              7:14: the `noconvergent` statement begins here
              5:12: the `switch` is here
              1:6: `f` is left out
            7:53: unsupported: this `default` is inside a `noconvergent` statement, but its `switch` is outside of it
              7:14: the `noconvergent` statement begins here
              5:12: the `switch` is here
              1:6: `f` is left out
        "#]],
    );
}
