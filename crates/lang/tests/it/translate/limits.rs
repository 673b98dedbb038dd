//! What is wrong because it is too large is known to be that: whoever asks another reader next must not ask about this.

use std::fmt::Write;

use reconverge_lang::options::Dialect;

use crate::translate::support::translated;

/// What a limit says of a text.
fn limit(text: &str) -> String {
    translated(Dialect::Cpp, text).limit().map_or_else(String::new, |diagnostic| diagnostic.message.clone())
}

#[test]
fn limits_are_marked() {
    let mut structs = String::from("struct s0 { int a; };\n");
    for number in 1..64 {
        let _ = writeln!(structs, "struct s{number} {{ s{} a, b; }};", number - 1);
    }
    let parentheses = |depth: usize| format!("int a = {}1{};", "(".repeat(depth), ")".repeat(depth));
    let mut macros = String::from("#define m0 x\n");
    for number in 1..40 {
        let _ = writeln!(macros, "#define m{number} m{0} m{0}", number - 1);
    }
    for (text, begins) in [
        (structs, "this type is larger than memory can be"),
        (parentheses(20_000), "nested more than "),
        (format!("{macros}m39"), "macros make more than "),
        ("template <int N> int f() { return f<N + 1>(); } int g() { return f<0>(); }".to_owned(), "the template `f`"),
        (format!("void f() {{ int a{}; }}", "[1]".repeat(1000)), "arrays of more than "),
    ] {
        let said = limit(&text);
        assert!(said.starts_with(begins), "{said} for {}", &text[..text.len().min(200)]);
    }
}

/// An array that is all zero is as short in IR as one that nothing is said of.
#[test]
fn zeros_count_for_nothing() {
    let text = "double table[100000001] = { 0 }; struct p { float x, y; }; p pairs[30000000] = { { 0, 0 }, { 0.0f } };";
    assert_eq!(limit(text), "");
    assert!(limit("float minus[2000000] = { -0.0f };").starts_with("more than 1000000 elements"));
}

#[test]
fn what_is_wrong_is_no_limit() {
    for text in
        ["int f() { return x; }", "int a[-1];", "#error no", "int f() { asm(\"\"); return [] { return 1; }(); }"]
    {
        assert_eq!(limit(text), "", "{text}");
    }
}
