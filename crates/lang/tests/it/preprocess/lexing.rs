//! Cutting text into tokens: the longest one, joined lines, literals, comments, places.

use std::path::Path;

use expect_test::expect;
use reconverge_lang::options::{Dialect, Options};
use reconverge_lang::preprocess::preprocess;
use reconverge_lang::token::Symbols;

use crate::preprocess::support::{messages, show, show_file, show_with};

/// The tokens with their places.
fn places(text: &str) -> String {
    let mut symbols = Symbols::default();
    let result = preprocess(Path::new("main.c"), text.into(), &Options::new(Dialect::C), &mut symbols);
    let mut shown = String::new();
    for token in &result.tokens {
        let at = result.sources.position(token.location).unwrap();
        let origin = if token.from_macro { " from a macro" } else { "" };
        shown += &format!("{:?} `{}` {}:{}{origin}\n", token.kind, symbols.text(token.symbol), at.line, at.column);
    }
    shown + &messages(&result)
}

#[test]
fn punctuators() {
    expect![[r#"
        { } [ ] ( ) ... . . . , ; : :: ? + ++ += - -- -= -> ->* * *= / /= % %= ^ ^= & && &= | || |= ~ ! != = == < <= << <<= > >= >> >>= # ##
        a ++ + + b >> > = c ... .
    "#]]
    .assert_eq(
        &show("{}[]().... .. ,;: :: ? + ++ += - -- -= -> ->* * *= / /= % %= ^ ^= & && &= | || |= ~ ! != = == < <= << <<= > >= >> >>= # ##\na+++ +b >>> =c...."),
    );
}

#[test]
fn digraphs() {
    expect![[r##"
        { [ ] } ##
        "<: x"
    "##]]
    .assert_eq(&show("%:define S(x) #x\n<% <: :> %> %:%:\nS(<: x)"));
    expect![[r#"
        a < :: b > [ : d ]
    "#]]
    .assert_eq(&show_with("a<::b> <: :d :>", &Options::new(Dialect::Cpp)));
}

#[test]
fn numbers() {
    expect![[r#"
        0x1p-3f 1.5h .5e+3 1e-3x 3.f.4 0b11 1 - 2 1 '000'
    "#]]
    .assert_eq(&show("0x1p-3f 1.5h .5e+3 1e-3x 3.f.4 0b11 1-2 1'000'"));
    expect![[r#"
        1'000 0x1'fp+3
    "#]]
    .assert_eq(&show_with("1'000 0x1'fp+3", &Options::new(Dialect::Cpp)));
}

#[test]
fn literals() {
    expect![[r#"
        "a\"b" 'a' '\'' L"w" u8"u" U'x' "" R"x(a)" b
        c)x" u8R"(d)" end
    "#]]
    .assert_eq(&show("\"a\\\"b\" 'a' '\\'' L\"w\" u8\"u\" U'x' \"\" R\"x(a)\" b\nc)x\" u8R\"(d)\" end"));
    // A delimiter may have quotes in it.
    expect![[r#"
        R"""(a
        #include "b"
        )""" R"x"y(c)x" d)x"y" end
    "#]]
    .assert_eq(&show("R\"\"\"(a\n#include \"b\"\n)\"\"\" R\"x\"y(c)x\" d)x\"y\" end"));
    expect![[r#"
        u8 "x" R "(a)" L"w"
    "#]]
    .assert_eq(&show_with("u8\"x\" R\"(a)\" L\"w\"", &Options::new(Dialect::OpenCl)));
}

#[test]
fn names() {
    expect![[r#"
        été $a _b1 ΔΣ x é
        main.c:1:16: error: the character `\u{2009}` cannot stand here
    "#]]
    .assert_eq(&show("été $a _b1 ΔΣ x\u{2009}é"));
}

#[test]
fn words_for_operators() {
    expect![[r#"
        a && b || ! c ^= d
    "#]]
    .assert_eq(&show_with("a and b or not c xor_eq d", &Options::new(Dialect::Cpp)));
    expect![[r#"
        a and b
    "#]]
    .assert_eq(&show("a and b"));
}

#[test]
fn joined_lines() {
    expect![[r#"
        Identifier `foobar` 1:1
        Punctuator `+=` 2:5
        String `"ab"` 3:3
        Number `1e+5` 4:4
        Identifier `x` 7:3
        End `` 8:1
    "#]]
    .assert_eq(&places("foo\\\nbar +\\\n= \"a\\\nb\" 1e\\  \n+5 /\\\r\n* no *\\\n/ x\n"));
    expect![[r#"
        a
        b
    "#]]
    .assert_eq(&show("a // no \\\nno \\\r\n no\n b"));
}

#[test]
fn places_of_macros() {
    expect![[r#"
        Identifier `a` 3:2
        Identifier `b` 3:4 from a macro
        Identifier `c` 3:4 from a macro
        Identifier `d` 3:4 from a macro
        Identifier `e` 4:5
        End `` 4:6
    "#]]
    .assert_eq(&places("#define G(x) c x\n#define F(x) b G(x)\n a F(\n d) e"));
}

#[test]
fn comments() {
    expect![[r#"
        a b c d
        e
        f
    "#]]
    .assert_eq(&show("a/**/b/*\n*/c /*/ \"*/ d // e\n/***/ e // /*\nf"));
}

#[test]
fn beginnings_and_ends() {
    expect![[r#"
        a
        b
    "#]]
    .assert_eq(&show("\u{feff}a\r\nb\r\n"));
    expect![[""]].assert_eq(&show(""));
    expect![[r#"
        x
        main.c:1:3: error: the comment is not closed
    "#]]
    .assert_eq(&show("x /* a\nb"));
}

#[test]
fn wrong_bytes() {
    let options = Options::new(Dialect::C);
    expect![[r#"
        a
        b c
        main.c:1:5: error: the file holds a NUL byte: outside of literals it is read as white space
    "#]]
    .assert_eq(&show_file(Path::new("main.c"), b"a //\0\nb\0c", &options));
    let shown = show_file(Path::new("main.c"), b"a\n \"\xff\" b", &options);
    expect![[r#"
        a
        "�" b
        main.c:2:3: warning: the file is not UTF-8 from this byte on: what cannot be read is replaced
    "#]]
    .assert_eq(&shown);
    expect![[r#"
        a b
        main.c:1:3: error: the character `@` cannot stand here
        main.c:1:7: error: the closing `"` is missing
    "#]]
    .assert_eq(&show("a @ b \"c\n"));
    expect![[r#"
        main.c:1:1: error: the closing `"` is missing
    "#]]
    .assert_eq(&show("'a\\\\\nR\"(x"));
}
