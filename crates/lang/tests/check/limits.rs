//! Large and deep texts take linear time and do not overflow the stack.

use std::fmt::Write;
use std::time::{Duration, Instant};

use reconverge_lang::options::Dialect;

use crate::support::wrong_with;

/// What is wrong with a text, and how long that took.
fn timed(dialect: Dialect, text: &str) -> (String, Duration) {
    let start = Instant::now();
    let wrong = wrong_with(dialect, text);
    (wrong, start.elapsed())
}

fn nested(depth: usize, open: &str, close: &str) -> String {
    format!("void f(int n) {{ {} n++; {} }}", open.repeat(depth), close.repeat(depth))
}

#[test]
fn ten_thousand_nested_statements() {
    let depth = 10_000;
    for (open, close) in [
        ("{ ", "}"),
        ("if (n) ", ""),
        ("while (n) { ", "}"),
        ("for (int i = 0; i < n; i++) ", ""),
        ("do ", " while (n);"),
        ("switch (n) { case 1: ", "}"),
        ("if (n) ; else ", ""),
    ] {
        assert_eq!(wrong_with(Dialect::C, &nested(depth, open, close)), "", "{open}");
    }
    let mut labels = String::from("void f(int n) { switch (n) {");
    for value in 0..depth {
        let _ = write!(labels, "case {value}: l{value}: ");
    }
    assert_eq!(wrong_with(Dialect::C, &format!("{labels} ; }} goto l7; }}")), "");
}

#[test]
fn long_expressions_and_lists() {
    let sum = vec!["n"; 100_000].join(" + ");
    assert_eq!(wrong_with(Dialect::C, &format!("int f(int n) {{ return {sum}; }}")), "");
    let commas = vec!["n++"; 100_000].join(", ");
    assert_eq!(wrong_with(Dialect::C, &format!("void f(int n) {{ {commas}; }}")), "");
    let list = (0..100_000).map(|value| value.to_string()).collect::<Vec<_>>().join(", ");
    assert_eq!(wrong_with(Dialect::C, &format!("int a[] = {{{list}}}; void f(void) {{ int b[] = {{{list}}}; }}")), "");
}

#[test]
fn time_is_linear() {
    let text = |count: usize| {
        let mut text = String::from("int g(int a, int b);\nvoid f(int n, int *p) {\n");
        for index in 0..count {
            let _ = writeln!(
                text,
                "  int v{index} = g(n, {index}); if (v{index} > n) {{ p[v{index}] += n * {index}; goto l{index}; }} l{index}: ;"
            );
        }
        text + "}\n"
    };
    let (few, many) = (text(2_000), text(20_000));
    let small = timed(Dialect::C, &few).1;
    let (wrong, large) = timed(Dialect::C, &many);
    assert_eq!(wrong, "");
    assert!(large < small * 40 + Duration::from_millis(200), "{small:?} for a tenth, {large:?} for the whole");
}

#[test]
fn deep_expressions_are_refused_or_checked() {
    for (open, close) in [("(", ")"), ("-", ""), ("*&", ""), ("(int)", ""), ("n ? n : ", ""), ("n = ", "")] {
        let text = format!("void f(int n) {{ {} n {}; }}", open.repeat(50_000), close.repeat(50_000));
        let wrong = wrong_with(Dialect::C, &text);
        assert!(wrong.lines().count() <= 1, "{open}: {wrong}");
    }
}
