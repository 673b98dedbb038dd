//! What is said about each mistake, and that the rest of the file stands.

use expect_test::{Expect, expect};
use reconverge_lang::options::Dialect;

use crate::syntax::support::show_errors;

fn check(dialect: Dialect, text: &str, expected: Expect) {
    expected.assert_eq(&show_errors(text, dialect));
}

/// A mistake in the first of two functions.
fn mistake(dialect: Dialect, text: &str, expected: Expect) {
    let of_device = if dialect.has_host() { "__device__ " } else { "" };
    check(dialect, &format!("{of_device}void f() {{ {text} }}\nvoid g() {{ h(); }}"), expected);
}

#[test]
fn something_is_missing() {
    mistake(
        Dialect::C,
        "int x = 3\n x = 4; y = (1 + 2;",
        expect![[r#"
        2:2 error: expected `;` after the declaration, found `x`
        2:19 error: expected `)` after the expression, found `;`
        functions: f g
    "#]],
    );
    mistake(
        Dialect::C,
        "a = ; b(1, ); c[1; d ? e;",
        expect![[r#"
        1:16 error: expected an expression, found `;`
        1:23 error: expected an expression, found `)`
        1:29 error: expected `]` after the index, found `;`
        1:36 error: expected `:` of the conditional expression, found `;`
        functions: f g
    "#]],
    );
    mistake(
        Dialect::C,
        "if a) b; if (a b; while () c;",
        expect![[r#"
        1:15 error: expected `(` after `if`, found `a`
        1:27 error: expected `)` after the condition, found `b`
        1:37 error: expected an expression, found `)`
        functions: f g
    "#]],
    );
    mistake(
        Dialect::C,
        "do a; b; for (int i = 0 i < 3; ++i) { c; } d;",
        expect![[r#"
        1:18 error: expected `while` after the body of `do`, found `b`
        1:36 error: expected `;` after the first part of `for`, found `i`
        functions: f g
    "#]],
    );
    mistake(
        Dialect::C,
        "goto 3; case : a; return",
        expect![[r#"
        1:17 error: expected the name of a label, found `3`
        1:25 error: expected an expression, found `:`
        1:37 error: expected an expression, found `}`
        functions: f g
    "#]],
    );
    mistake(
        Dialect::C,
        "if (x +) { a; } else { b; } c;",
        expect![[r#"
        1:19 error: expected an expression, found `)`
        functions: f g
    "#]],
    );
}

#[test]
fn something_is_too_much() {
    mistake(
        Dialect::C,
        "else a; b; ) c;",
        expect![[r#"
        1:12 error: this `else` has no `if`
        1:23 error: expected an expression, found `)`
        functions: f g
    "#]],
    );
    mistake(
        Dialect::C,
        "int int x; float unsigned y; a b; @ d;",
        expect![[r#"
        1:16 error: `int` does not go with the type before it
        1:29 error: `unsigned` does not go with the type before it
        1:41 error: `a` is not a type
        1:46 error: expected an expression, found `@`
        functions: f g
    "#]],
    );
    check(
        Dialect::C,
        "} void f() { }",
        expect![[r#"
        1:1 error: this `}` closes nothing
        functions: f
    "#]],
    );
    check(
        Dialect::C,
        "if (a) b; void f() { }",
        expect![[r#"
        1:1 error: expected a declaration or a function, found `if`
        functions: f
    "#]],
    );
}

#[test]
fn braces_that_are_not_closed() {
    check(
        Dialect::OpenCl,
        "kernel void f() { if (a) {\n b; }\nkernel void g() { }",
        expect![[r#"
        1:17 error: this `{` is not closed (3:1: a function begins here)
        functions: f g
    "#]],
    );
    check(
        Dialect::C,
        "void f() { while (a) { b;",
        expect![[r#"
        1:22 error: this `{` is not closed
        functions: f
    "#]],
    );
    check(
        Dialect::Cpp,
        "namespace a { void f() { }",
        expect![[r#"
        1:13 error: this `{` is not closed
        functions: a::f
    "#]],
    );
    check(
        Dialect::C,
        "void f() { } } void g() { }",
        expect![[r#"
        1:14 error: this `}` closes nothing
        functions: f g
    "#]],
    );
    check(
        Dialect::C,
        "struct s { int a;",
        expect![[r#"
        1:10 error: this `{` is not closed
        functions: 
    "#]],
    );
}

#[test]
fn declarations() {
    check(
        Dialect::C,
        "foo x; void f(foo y) { } int g(int, ) { } void h() { }",
        expect![[r#"
        1:1 error: `foo` is not a type
        1:15 error: `foo` is not a type
        1:37 error: expected a parameter, found `)`
        functions: h
    "#]],
    );
    check(
        Dialect::C,
        "struct s { int a; }\nvoid f() { } struct { int; int b c; } d; void g() { }",
        expect![[r#"
            2:1 error: expected `;` after the definition of a type, found `void`
            2:34 error: expected `;` after the member, found `c`
            functions: f g
        "#]],
    );
    check(
        Dialect::C,
        "int a[3 = 1; int; 3; void g() { }",
        expect![[r#"
        1:12 error: expected `]` after the length of the array, found `;`
        1:19 error: expected a type, found `3`
        functions: g
    "#]],
    );
    check(
        Dialect::C,
        "int x = 3\nvoid f() { }\nvoid g()\nvoid h() { }",
        expect![[r#"
        2:1 error: expected `;` after the declaration, found `void`
        4:1 error: expected `;` after the declaration, found `void`
        functions: f g h
    "#]],
    );
}

#[test]
fn constructs_outside_of_the_subset_in_a_function() {
    for (text, expected) in [
        (
            "int *p = new (int)[3];",
            expect![[r#"
                f: 1:36 unsupported: a type in parentheses after `new` is not supported by the built-in front end
                functions: g
            "#]],
        ),
        (
            "throw 3;",
            expect![[r#"
                f: 1:23 unsupported: `throw` is not supported by the built-in front end
                functions: g
            "#]],
        ),
        (
            "try { a; } catch (...) { }",
            expect![[r#"
                f: 1:23 unsupported: `try` is not supported by the built-in front end
                functions: g
            "#]],
        ),
        (
            "asm volatile(\"bar.sync 0;\" ::: \"memory\");",
            expect![[r#"
                functions: f g
            "#]],
        ),
        (
            "k<<<1, 32>>>(a);",
            expect![[r#"
                f: 1:24 unsupported: the launch of a kernel (`<<<`) is not supported by the built-in front end
                functions: g
            "#]],
        ),
        (
            "std::vector<int> v; b(v);",
            expect![[r#"
                f: 1:23 unsupported: `std::vector` is not supported by the built-in front end
                functions: g
            "#]],
        ),
        (
            "int a = ({ int *b = new (int); *b; });",
            expect![[r#"
                f: 1:47 unsupported: a type in parentheses after `new` is not supported by the built-in front end
                functions: g
            "#]],
        ),
        (
            "for (int a : {1, 2}) ;",
            expect![[r#"
                f: 1:36 unsupported: a list as the range of a loop is not supported by the built-in front end
                functions: g
            "#]],
        ),
        (
            "struct s { int m() { return 1; } } v;",
            expect![[r#"
                functions: f g
            "#]],
        ),
        (
            "a.~T(); b;",
            expect![[r#"
                f: 1:25 unsupported: `~` is not supported by the built-in front end
                functions: g
            "#]],
        ),
        (
            "x = a ?: b;",
            expect![[r#"
                f: 1:29 unsupported: `?:` without a middle is not supported by the built-in front end
                functions: g
            "#]],
        ),
    ] {
        mistake(Dialect::Cuda, text, expected);
    }
}

#[test]
fn constructs_outside_of_the_subset_at_the_top() {
    check(
        Dialect::Cpp,
        "namespace n { template <typename T> struct span { T *data; int size; int f() { return 1; } };\n\
         struct m { int a; m(int x) : a(x) { } }; struct b : m { }; } typedef n::m alias; using other = n::span<int>;\n\
         int operator+(n::b x, int y) { return 0; } int g(n::span<int> x) { return 1; } int h() { n::m x; return 0; }\n\
         int i() { return g(1); } void j(alias x) { } void k(other x) { } template <typename... T> void l(T... x) { }\n\
         template <typename T> constexpr T pi = T(3); int n::m::f() { return 1; } template <typename T> using A = T *;\n\
         virtual void o(); int p(int) { A<int> x; } extern template int q<int>(int); asm(\"x\"); void last() { }",
        expect![[r#"
            6:1 unsupported: `virtual` outside of a class is not supported by the built-in front end
            6:77 unsupported: inline assembly is not supported by the built-in front end
            functions: operator+ g h i j k l n::m::f p last
        "#]],
    );
}

#[test]
fn many_errors_end_the_file() {
    let text = "int f(x y);\n".repeat(200);
    let shown = show_errors(&text, Dialect::C);
    assert!(shown.contains("more than 100 errors"), "{shown}");
    assert!(shown.lines().count() < 106);
}
