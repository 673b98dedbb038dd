//! Replacing macros: the examples that show the rules.

use expect_test::expect;
use reconverge_lang::options::{Dialect, Options};

use crate::preprocess::support::{show, show_with};

#[test]
fn rescanning_and_recursion() {
    expect![[r#"
        f ( 1 * ( y ) ) z [ 0 ]
        2 * 9 * g
        bar bar 1
        a b A
    "#]]
    .assert_eq(&show(
        "#define f(a) f(1 * (a))\n#define z z[0]\nf(y) z\n#undef f\n#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)\n\
         #define foo(x) bar x\nfoo(foo(1))\n#define A a B\n#define B b A\nA\n",
    ));
}

#[test]
fn stringification_and_pasting() {
    expect![[r#"
        "a + \"x\\n\" '\\0'" "" "X" "1"
        ab 1 "x" xy x y
        L"a" += 0x1f
    "#]]
    .assert_eq(&show(
        "#define S(x) #x\n#define T(x) S(x)\n#define X 1\nS( a  +\n\"x\\n\" '\\0' ) S() S(X) T(X)\n\
         #define P(x, y) x ## y\nP(a,b) P(X,) S(x) P(x,y) P(,x) P(y,)\nP(L,\"a\") P(+,=) P(0x, 1f)",
    ));
}

#[test]
fn variable_arguments() {
    expect![[r#"
        f ( "x" ) f ( "x" , 1 , 2 ) f ( "x" , )
        f ( 0 ) f ( 0 , a , b )
        g ( ) g ( 1 )
        "a, b" ""
    "#]]
    .assert_eq(&show(
        "#define E(x, args...) f(x, ## args)\nE(\"x\") E(\"x\", 1, 2) E(\"x\",)\n\
         #define F(...) f(0 __VA_OPT__(,) __VA_ARGS__)\nF() F(a, b)\n#define G(...) g(__VA_ARGS__)\nG() G(1)\n\
         #define V(x, ...) #__VA_OPT__(__VA_ARGS__)\nV(1, a, b) V(1)",
    ));
    let open_cl = Options::new(Dialect::OpenCl);
    assert_eq!(show_with("#define G(...) g(x, ## __VA_ARGS__)\nG()", &open_cl), "g ( x , )\n");
}

#[test]
fn computed_macros() {
    expect![[r#"
        1 "main.c" 2 "main.c" "main.c" 0
        0 1 2
        "Jan  1 1970" "00:00:00"
        9 9 9
        101 "x.h"
    "#]]
    .assert_eq(&show(
        "__LINE__ __FILE__ \\\n__LINE__ __FILE_NAME__ __BASE_FILE__ __INCLUDE_LEVEL__\n__COUNTER__ __COUNTER__ __COUNTER__\n\
         __DATE__ __TIME__\n#define L __LINE__\n#define F(x) x __LINE__\n\n\
         F(\n__LINE__ L)\n#line 101 \"x.h\"\n__LINE__ __FILE__",
    ));
}

#[test]
fn queries() {
    expect![[r#"
        1 1 0 1 0
        yes
    "#]]
    .assert_eq(&show(
        "__has_attribute(convergent) __has_attribute(__noinline__) __has_attribute(x) __has_builtin(__builtin_expect) \
         __has_feature(modules)\n#if defined __has_include && __has_include(<stdint.h>) && !__has_include(\"no.h\")\nyes\n#endif",
    ));
}

#[test]
fn pragmas() {
    expect![[r##"
        #pragma unroll N
        a
        #pragma x "y" z(1) b
        #pragma c
    "##]]
    .assert_eq(&show("#define N 4\n  #pragma unroll   N // no\na _Pragma(\"x \\\"y\\\" z(1)\") b\n_Pragma(\"c\")"));
    expect![[r#"
        2
        1
        main.c:9:1: warning: `pop_macro` without `push_macro`
    "#]]
    .assert_eq(&show(
        "#define A 1\n#pragma push_macro(\"A\")\n#undef A\n#define A 2\nA \\\n\n#pragma pop_macro(\"A\")\nA\n#pragma pop_macro(\"A\")",
    ));
}
