//! The pages of the codes and the examples show what they say they show.

use std::collections::BTreeSet;
use std::fs;

use reconverge_analysis::check::{CheckOptions, check};
use reconverge_analysis::codes::Code;
use reconverge_analysis::diagnostic::Severity;
use reconverge_testing::corpus;

/// The codes that `check` reports of a text, hints only when asked for.
fn codes(text: &str, hints: bool) -> BTreeSet<&'static str> {
    let report = check(text.as_bytes(), &CheckOptions { hints }).unwrap_or_else(|error| panic!("{error} in\n{text}"));
    let shown = report.diagnostics.iter().filter(|diagnostic| hints || diagnostic.severity > Severity::Hint);
    shown.map(|diagnostic| diagnostic.code.name()).collect()
}

/// The programs of a page, in order.
fn programs(page: &str) -> Vec<&str> {
    page.split("```llvm\n").skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

#[test]
fn pages_break_their_rule_and_fix_it() {
    for code in Code::ALL {
        let (name, page) = (code.name(), code.page());
        assert!(page.starts_with(&format!("# {name}: ")), "{name} has its code on top");
        let programs = programs(page);
        let [broken, fixed @ ..] = programs.as_slice() else { panic!("{name} has no program") };
        assert!(codes(broken, true).contains(name), "the first program of {name} does not break it");
        assert!(!fixed.is_empty(), "{name} has no fixed program");
        for program in fixed {
            assert!(!codes(program, true).contains(name), "{name} is not fixed in\n{program}");
        }
        // A fix that breaks something else is none.
        let last = codes(fixed[fixed.len() - 1], false);
        assert!(last.is_empty(), "the last program of {name} breaks {last:?}");
    }
}

#[test]
fn examples_have_the_codes_they_expect() {
    let examples = corpus::examples().expect("the examples are there");
    assert!(!examples.is_empty());
    for path in examples {
        let text = fs::read_to_string(&path).expect("the example is text");
        let expected: BTreeSet<&str> = text.lines().filter_map(|line| line.strip_prefix("; EXPECT: ")).collect();
        let found = codes(&text, false);
        let found = if found.is_empty() { BTreeSet::from(["none"]) } else { found };
        assert_eq!(found, expected, "{}", path.display());
    }
}
