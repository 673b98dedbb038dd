//! Large texts: a result or one message, and work in proportion to the size.

use std::fmt::Write;
use std::time::Instant;

use reconverge_lang::options::Dialect;

use crate::translate::support::{PLAIN, TOKENS, broken_rules, lowered, translated, wrong};

/// Translates and lowers; the size of what comes out, with and without tokens.
fn size(name: &str, count: usize, text: String) -> Vec<usize> {
    let start = Instant::now();
    let length = text.len();
    let translation = translated(Dialect::OpenCl, text);
    assert_eq!(wrong(&translation), "", "{name}");
    let until = start.elapsed();
    let texts = [TOKENS, PLAIN].map(|options| lowered(&translation, options));
    println!("{name}, {count}: {length} bytes, translated in {until:.1?}, lowered in {:.1?}", start.elapsed() - until);
    texts.iter().map(String::len).collect()
}

/// What comes out grows as what goes in: a text of twice the size gives at most 2.2 times as much (numbers grow).
fn linear(name: &str, count: usize, text: impl Fn(usize) -> String) {
    let (half, whole) = (size(name, count / 2, text(count / 2)), size(name, count, text(count)));
    for (half, whole) in half.into_iter().zip(whole) {
        assert!(whole * 10 <= half * 22, "{name}: {half} bytes for half, {whole} for the whole");
    }
}

fn kernel(body: &str) -> String {
    format!("uint op(uint);\nkernel void k(global int *p, int n) {{\n{body}\n}}\n")
}

fn nested(open: &'static str, close: &'static str) -> impl Fn(usize) -> String {
    move |count| kernel(&format!("{} op(1); {}", open.repeat(count), close.repeat(count)))
}

const DEPTH: usize = 10_000;

#[test]
fn nested_blocks() {
    linear("blocks", DEPTH, nested("{ ", "}"));
    linear("noconvergent blocks", DEPTH, nested("__attribute__((noconvergent)) { ", "}"));
}

#[test]
fn nested_branches() {
    linear("if", DEPTH, nested("if (n) ", ""));
    linear("if with else", DEPTH, nested("if (n) { op(2); } else ", ""));
    linear("switch", DEPTH, nested("switch (n) { case 1: ", "}"));
}

#[test]
fn nested_loops() {
    linear("while", DEPTH, nested("while (n) { ", "op(2); }"));
    linear("do", DEPTH, nested("do ", " while (n);"));
    linear("for", DEPTH, nested("for (int i = 0; i < n; i++) { if (i == 3) continue; ", "if (n) break; }"));
}

#[test]
fn statements_in_a_row() {
    let row = |one: &'static str| move |count: usize| kernel(&one.repeat(count));
    linear("ifs", DEPTH, row("if (n > 3) op(1); else n++;\n"));
    linear("loops", DEPTH, row("while (n-- > 3) op(1);\n"));
    linear("calls", DEPTH, row("op(1);\n"));
    linear("declarations", DEPTH, |count| {
        kernel(&(0..count).fold(String::new(), |text, index| format!("{text}int v{index} = n + {index};\n")))
    });
    linear("cases", DEPTH, |count| {
        let cases = (0..count).fold(String::new(), |text, index| format!("{text}case {index}: op({index}); break;\n"));
        kernel(&format!("switch (n) {{ {cases} }}"))
    });
    linear("cases that fall through", DEPTH, |count| {
        let cases = (0..count).fold(String::new(), |text, index| format!("{text}case {index}: op({index});\n"));
        kernel(&format!("switch (n) {{ {cases} }}"))
    });
}

#[test]
fn functions_in_a_row() {
    linear("functions", DEPTH, |count| {
        (0..count).fold(String::new(), |mut text, index| {
            let _ = writeln!(text, "int f{index}(int n) {{ if (n) barrier(1); return n + {index}; }}");
            text
        })
    });
}

#[test]
fn labels_and_gotos() {
    linear("gotos forward", DEPTH, |count| {
        let mut body = String::new();
        for index in 0..count {
            let _ = writeln!(body, "if (n == {index}) goto l{index}; op({index});");
        }
        (0..count).for_each(|index| body += &format!("l{index}: op({index});\n"));
        kernel(&body)
    });
    linear("gotos backward", DEPTH, |count| {
        let mut body = String::new();
        (0..count).for_each(|index| body += &format!("l{index}: op({index});\n"));
        for index in 0..count {
            let _ = writeln!(body, "if (n-- == {index}) goto l{index}; op({index});");
        }
        kernel(&body)
    });
    linear("pairs", DEPTH, |count| {
        let mut body = String::new();
        for index in 0..count {
            let _ = writeln!(body, "l{index}: op({index}); if (n-- > {index}) goto l{index};");
        }
        kernel(&body)
    });
}

#[test]
fn expressions() {
    linear("sum", 100_000, |count| kernel(&format!("n = {};", vec!["n"; count].join(" + "))));
    linear("comma", 100_000, |count| kernel(&format!("{};", vec!["n++"; count].join(", "))));
    linear("and", 10_000, |count| kernel(&format!("n = {};", vec!["op(n)"; count].join(" && "))));
    linear("parentheses", 5_000, |count| kernel(&format!("n = {}n{};", "(".repeat(count), ")".repeat(count))));
    linear("minus", 5_000, |count| kernel(&format!("n = {}n;", "- ".repeat(count))));
    linear("conditional", 5_000, |count| kernel(&format!("n = {} n;", "n ? op(1) : ".repeat(count))));
    linear("calls", 5_000, |count| kernel(&format!("n = {}n{};", "op(".repeat(count), ")".repeat(count))));
}

/// A line of ordinary code, as a generator may write it.
#[test]
fn one_long_line() {
    let line = |count: usize| {
        let mut text = String::new();
        for index in 0..count {
            let _ = write!(
                text,
                "int f{index}(global int *p, int n) {{ for (int i = 0; i < n; i++) {{ if (p[i] > {index}) barrier(1); p[i] += n * i; }} return p[0]; }} "
            );
        }
        text
    };
    linear("line", number_of_functions(), line);
}

/// 5 MB; `RECONVERGE_LINE` in MB.
fn number_of_functions() -> usize {
    reconverge_testing::rounds::environment("RECONVERGE_LINE", 5) as usize * 1_000_000 / 130
}

/// Results of that size are IR that is accepted.
#[test]
fn what_comes_out_keeps_the_rules() {
    for text in [
        nested("for (int i = 0; i < n; i++) { if (i == 3) continue; ", "if (n) break; }")(300),
        nested("switch (n) { case 1: ", "}")(300),
        nested("if (n) { op(2); } else ", "")(300),
    ] {
        let translation = translated(Dialect::OpenCl, text);
        for options in [TOKENS, PLAIN] {
            assert_eq!(broken_rules(&lowered(&translation, options)), [""; 0]);
        }
    }
}
