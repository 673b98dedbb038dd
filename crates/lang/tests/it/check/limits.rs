//! Large and deep texts take linear time and do not overflow the stack.

use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use reconverge_lang::options::{Dialect, Options};
use reconverge_testing::random::SplitMix64;
use reconverge_testing::rounds::seeds;

use crate::check::support::{checked, wrong_with};

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
    let of = |text: &str| checked(Path::new("test"), text, &Options::new(Dialect::C));
    let (small, many) = (of(&few).time, of(&many));
    assert_eq!(many.wrong(), "");
    let large = many.time;
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

/// Texts with words left out, repeated or exchanged are refused or understood, but nothing panics.
#[test]
fn damaged_texts() {
    let cases = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases");
    let mut texts = Vec::new();
    for folder in ["opencl", "run", "cuda"] {
        for entry in std::fs::read_dir(cases.join(folder)).expect("the cases are there") {
            let file = entry.expect("an entry").path();
            texts.push((std::fs::read_to_string(&file).expect("a case can be read"), folder == "cuda"));
        }
    }
    texts.sort();
    for seed in seeds(400) {
        let mut random = SplitMix64::new(seed);
        let (text, is_cuda) = &texts[random.below(texts.len())];
        let mut words: Vec<&str> = text.split_inclusive(|c: char| !c.is_alphanumeric() && c != '_').collect();
        for _ in 0..1 + random.below(4) {
            let (at, other) = (random.below(words.len()), random.below(words.len()));
            match random.below(3) {
                0 => drop(words.remove(at)),
                1 => words.insert(at, words[other]),
                _ => words.swap(at, other),
            }
        }
        let dialects = if *is_cuda {
            [Dialect::Cuda, Dialect::Hip, Dialect::Cpp]
        } else {
            [Dialect::OpenCl, Dialect::C, Dialect::Cpp]
        };
        let dialect = dialects[random.below(3)];
        println!("seed {seed}, {dialect:?}:\n{}", words.concat());
        wrong_with(dialect, &words.concat());
    }
}
