//! Every message.

use expect_test::{Expect, expect};
use reconverge_lang::options::{Dialect, Options};

use crate::preprocess::support::{show, show_with};

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&show(text));
}

#[test]
fn definitions() {
    check(
        "#define\n#define 3\n#define defined\n#define A\"x\"\n#undef\n#undef 3 4\n#undef __LINE__\n",
        expect![[r#"
        main.c:1:8: error: the name of a macro is missing
        main.c:2:9: error: `3` cannot be the name of a macro
        main.c:3:9: error: `defined` cannot be the name of a macro
        main.c:4:10: warning: white space is missing after the name of the macro
        main.c:5:7: error: the name of a macro is missing
        main.c:6:8: error: `3` cannot be the name of a macro
        main.c:7:8: warning: the macro `__LINE__` is a part of the language
    "#]],
    );
    check(
        "#define A(x\n#define B(x,)\n#define C(x x)\n#define D(x, x)\n#define E(..., x)\n#define F(3)\n",
        expect![[r#"
            main.c:1:12: error: `,` or `)` is expected in the parameters of the macro
            main.c:2:13: error: a parameter of the macro is expected here
            main.c:3:13: error: `,` or `)` is expected in the parameters of the macro
            main.c:4:14: error: there are two parameters `x`
            main.c:5:14: error: `)` is expected in the parameters of the macro
            main.c:6:11: error: a parameter of the macro is expected here
        "#]],
    );
    check(
        "#define A(__VA_ARGS__)\n#define B __VA_ARGS__\n#define C(x) __VA_ARGS__\n",
        expect![[r#"
        main.c:1:11: error: `__VA_ARGS__` cannot be the name of a parameter
        main.c:2:11: error: `__VA_ARGS__` stands in a macro that takes no variable arguments
        main.c:3:14: error: `__VA_ARGS__` stands in a macro that takes no variable arguments
    "#]],
    );
    check(
        "#define A ## x\n#define B x ##\n#define C(x) #y\n#define D(x) x #\n#define E #y\nE",
        expect![[r#"
        # y
        main.c:1:11: error: `##` cannot be at an end of a macro
        main.c:2:13: error: `##` cannot be at an end of a macro
        main.c:3:14: error: `#` stands before something that is no parameter
        main.c:4:16: error: `#` stands before something that is no parameter
    "#]],
    );
    check(
        "#define A(...) __VA_OPT__ x\n#define B(...) __VA_OPT__(\n#define C(...) __VA_OPT__(## x)\n",
        expect![[r#"
        main.c:1:16: error: `__VA_OPT__` is not followed by `( … )`
        main.c:2:16: error: `__VA_OPT__` is not followed by `( … )`
        main.c:3:27: error: `##` cannot be at an end of `__VA_OPT__`
    "#]],
    );
    check(
        "#define A(...) __VA_OPT__(__VA_OPT__(x))\n",
        expect![[r#"
        main.c:1:27: error: `__VA_OPT__` stands in `__VA_OPT__`
    "#]],
    );
    check(
        "#define A 1\n#define A 1\n#define A 2\n#define F(x) x\n#define F(y) y\n#define __FILE__ 3\n",
        expect![[r#"
        main.c:3:9: warning: the macro `A` is defined again, differently
            main.c:2:9: the first definition is here
        main.c:5:9: warning: the macro `F` is defined again, differently
            main.c:4:9: the first definition is here
        main.c:6:9: warning: the macro `__FILE__` is defined again, differently
    "#]],
    );
    expect![[r#"
        main.c:1:9: error: `and` cannot be the name of a macro
        main.c:2:8: error: `or` cannot be the name of a macro
    "#]]
    .assert_eq(&show_with("#define and 1\n#ifdef or\n#endif", &Options::new(Dialect::Cpp)));
}

#[test]
fn invocations() {
    check(
        "#define F(x, y) x y\n#define G() g\n#define V(x, y, ...) v\nF(1) F(1, 2, 3) F() G(1) G( ) V(1) V(1, 2)\n",
        expect![[r#"
            F F F G g V v
            main.c:4:1: error: the macro `F` takes 2 arguments, but is given 1
                main.c:1:9: the macro is defined here
            main.c:4:6: error: the macro `F` takes 2 arguments, but is given 3
                main.c:1:9: the macro is defined here
            main.c:4:17: error: the macro `F` takes 2 arguments, but is given 0
                main.c:1:9: the macro is defined here
            main.c:4:21: error: the macro `G` takes 0 arguments, but is given 1
                main.c:2:9: the macro is defined here
            main.c:4:31: error: the macro `V` takes at least 2 arguments, but is given 1
                main.c:3:9: the macro is defined here
        "#]],
    );
    check(
        "#define F(x) x\n#define P F(1\nF(1\n#define Q\nF((2)\n",
        expect![[r#"
            F
            main.c:3:1: error: the arguments of the macro `F` have no closing `)`
                main.c:1:9: the macro is defined here
        "#]],
    );
    check(
        "#define P(x, y) x ## y\nP(+, -) P(a, \"b\")\n#define S(x) #x\nS(\\)\n",
        expect![[r#"
        + - a "b"
        ""
        main.c:2:1: error: `##` makes `+-`, which is not one token
            main.c:1:9: the macro is defined here
        main.c:2:9: error: `##` makes `a"b"`, which is not one token
            main.c:1:9: the macro is defined here
        main.c:4:1: warning: the string that `#` makes ends with a backslash: it is left out
    "#]],
    );
}

#[test]
fn conditions() {
    check(
        "#if\n#elif 1\n#endif\n#if 1 +\n#endif\n#if 1 2\n#endif\n#if (1\n#endif\n#if 1)\n#endif\n#if \"x\"\n#endif",
        expect![[r#"
            main.c:1:4: error: `#if` without an expression
            main.c:4:7: error: a value is expected in the expression of `#if`, not the end of the line
            main.c:6:7: error: an operator is expected in the expression of `#if`, not `2`
            main.c:8:6: error: `)` is expected in the expression of `#if`, not the end of the line
            main.c:10:6: error: an operator is expected in the expression of `#if`, not `)`
            main.c:12:5: error: a value is expected in the expression of `#if`, not `"x"`
        "#]],
    );
    check(
        "#if 1 / 0\n#endif\n#if 1 % 0\n#endif\n#if 1.5\n#endif\n#if 1x\n#endif\n#if F(1)\n#endif\n#if = 1\n#endif",
        expect![[r#"
            main.c:1:7: error: division by zero in the expression of `#if`
            main.c:3:7: error: division by zero in the expression of `#if`
            main.c:5:5: error: the number `1.5` in the expression of `#if` is not an integer
            main.c:7:5: error: `1x` is not an integer constant
            main.c:9:5: error: there is no macro `F` with parameters
            main.c:11:5: error: a value is expected in the expression of `#if`, not `=`
        "#]],
    );
    check(
        "#if defined\n#endif\n#if defined(x\n#endif\n#if defined 3\n#endif\n#if 1 ? 2\n#endif\n",
        expect![[r#"
        main.c:1:5: error: `defined` needs the name of a macro
        main.c:3:13: error: the closing `)` is missing after `defined`
        main.c:5:5: error: `defined` needs the name of a macro
        main.c:7:9: error: `:` is expected in the expression of `#if`, not the end of the line
    "#]],
    );
    check(
        "#if 99999999999999999999\n#endif\n#if ''\n#endif\n#if '\\q'\n#endif\n#if 'abcde'\n#endif\n#if 'é'\n#endif\n",
        expect![[r#"
            main.c:1:5: error: the integer `99999999999999999999` does not fit into 64 bits
            main.c:3:5: error: the character constant is empty
            main.c:5:5: error: there is no escape `\q`
            main.c:7:5: error: the character constant `'abcde'` holds too many characters
            main.c:9:5: error: a character of `'é'` does not fit into its type
        "#]],
    );
    check(
        "#if __has_include\n#endif\n#if __has_include(<x\n#endif\n#if __has_attribute()\n#endif\n__has_include(<x>)",
        expect![[r#"
            __has_include ( < x > )
            main.c:1:5: error: `__has_include` needs `("file")` or `(<file>)`
            main.c:3:5: error: `__has_include` needs `("file")` or `(<file>)`
            main.c:5:5: error: `__has_attribute` needs a name in parentheses
            main.c:7:1: error: `__has_include` can only be used in `#if` and `#elif`
        "#]],
    );
    check(
        "#if 1\n",
        expect![[r#"
        main.c:1:2: error: the conditional has no `#endif`
    "#]],
    );
    check(
        "#endif\n#else\n#elif 1\n#if 1\n#else\n#else\n#elif 1\n#endif x\n#ifdef\n#endif\n#ifdef a b\n#endif\n#ifndef 3\n#endif",
        expect![[r#"
            main.c:1:2: error: `#endif` without `#if`
            main.c:2:2: error: `#else` without `#if`
            main.c:3:2: error: `#elif` without `#if`
            main.c:6:2: error: `#else` after `#else`
                main.c:4:2: the conditional begins here
            main.c:7:2: error: `#elif` after `#else`
                main.c:4:2: the conditional begins here
            main.c:8:8: warning: text after `#endif` is not read
            main.c:9:7: error: the name of a macro is missing
            main.c:11:10: warning: text after `#ifdef` is not read
            main.c:13:9: error: `3` cannot be the name of a macro
        "#]],
    );
    check(
        "#if 0\n/* a\n",
        expect![[r#"
        main.c:2:1: error: the comment is not closed
        main.c:1:2: error: the conditional has no `#endif`
    "#]],
    );
}

#[test]
fn others() {
    check(
        "#error it's   \"wrong\n#warning w // x\n#foo\n#include_next <x>\n#3 x\n_Pragma(1)\n_Pragma x\n",
        expect![[r#"
            x
            main.c:1:2: error: #error it's   "wrong
            main.c:2:2: warning: #warning w
            main.c:3:2: error: there is no directive `#foo`
            main.c:4:2: unsupported: the directive `#include_next` is not supported by the built-in front end
            main.c:5:2: error: `#line` needs a number up to 2147483647, and can have the name of a file after it
            main.c:6:1: error: `_Pragma` needs a string in parentheses
            main.c:7:1: error: `_Pragma` needs a string in parentheses
        "#]],
    );
}

#[test]
fn a_message_is_one_line() {
    let said = show_with("#error R\"x(a\n  b)x\" c\n#warning R\"(p\nq)\"\n", &Options::new(Dialect::Cuda));
    expect![[r#"
        main.c:1:2: error: #error R"x(a b)x" c
        main.c:3:2: warning: #warning R"(p q)"
    "#]]
    .assert_eq(&said);
}
