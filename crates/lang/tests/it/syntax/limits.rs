//! Nesting and length.

use reconverge_lang::options::Dialect;

use crate::syntax::support::{parse, show_errors};

fn on_a_big_stack(run: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(1 << 30).spawn(run).expect("a thread").join().expect("no panic");
}

#[test]
fn nested_statements_need_no_call_stack() {
    for open in
        ["{", "if (a)", "if (a) b; else", "while (a)", "for (;;)", "switch (a)", "l:", "case 1:", "if (a) {", "else_"]
    {
        let is_do = open == "else_";
        let open = if is_do { "do" } else { open };
        let depth = 40_000;
        let close = if open.ends_with('{') { "}" } else { "" };
        let close = if is_do { " while (c);" } else { close };
        let text =
            format!("void f() {{ {} x; {} }} void g() {{ }}", format!("{open} ").repeat(depth), close.repeat(depth));
        let (parsed, _) = parse(&text, Dialect::C);
        assert_eq!(parsed.diagnostics, [], "{open}");
        assert_eq!(parsed.tree.items.len(), 2, "{open}");
        assert!(parsed.tree.statements.len() > depth, "{open}");
    }
}

#[test]
fn too_deep_statements_are_refused() {
    let text = format!("void f() {{ {} x; {} }}", "{".repeat(200_000), "}".repeat(200_000));
    assert_eq!(
        show_errors(&text, Dialect::C),
        "1:100012 error: statements nested more than 100000 deep\nfunctions: f\n"
    );
}

#[test]
fn a_chain_of_else_if_may_be_long() {
    let text = format!("void f() {{ {} x; }}", "if (a) b; else ".repeat(300_000));
    let (parsed, _) = parse(&text, Dialect::C);
    assert_eq!(parsed.diagnostics, []);
}

#[test]
fn long_expressions() {
    let chain = |operator: &str, count: usize| format!("void f() {{ x = a{}; }}", format!("{operator}a").repeat(count));
    for operator in ["+", "&&", ",", "*", "[0] + ", ".x."] {
        let (parsed, _) = parse(&chain(operator, 100_000), Dialect::C);
        assert_eq!(parsed.diagnostics, [], "{operator}");
    }
}

#[test]
fn nested_expressions() {
    on_a_big_stack(|| {
        for (open, close) in [
            ("(", ")"),
            ("-", ""),
            ("f(", ")"),
            ("a[", "]"),
            ("a ? b : ", ""),
            ("a = ", ""),
            ("(int)", ""),
            ("a ? ", ": b"),
        ] {
            for (depth, fits) in [(4_900, true), (20_000, false)] {
                let text = format!("void f() {{ {}x{}; }} void g() {{ }}", open.repeat(depth), close.repeat(depth));
                let (parsed, _) = parse(&text, Dialect::C);
                assert_eq!(parsed.diagnostics.is_empty(), fits, "{open}: {:?}", parsed.diagnostics);
                assert_eq!(parsed.tree.items.len(), 2, "{open}");
                if let [one] = &parsed.diagnostics[..] {
                    assert_eq!(one.message, "nested more than 10000 deep");
                }
            }
        }
    });
}

#[test]
fn nested_declarators_and_lists() {
    on_a_big_stack(|| {
        for (front, open, middle, close, back) in [
            ("int ", "(", "x", ")", ""),
            ("int ", "*", "x", "", ""),
            ("int x", "[1]", "", "", ""),
            ("int x = ", "{", "1", "}", ""),
            ("", "struct {", "int x;", "} y;", ""),
            ("void f(int ", "(*", "x", ")(int)", ")"),
        ] {
            for (depth, fits) in [(4_000, true), (200_000, false)] {
                let text = format!("{front}{}{middle}{}{back};", open.repeat(depth), close.repeat(depth));
                let (parsed, _) = parse(&text, Dialect::C);
                let messages: Vec<&str> = parsed.diagnostics.iter().map(|one| &one.message[..]).collect();
                let expected: &[&str] = if fits { &[] } else { &["nested more than 10000 deep"] };
                assert_eq!(messages, expected, "{open}");
            }
        }
    });
}
