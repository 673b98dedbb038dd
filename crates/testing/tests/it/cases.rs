//! The input files of the repository are what their comments say they are, as far as LLVM can tell.

use std::fs;

use reconverge_testing::{corpus, llvm};

/// Everything in `tests/cases/ir` is accepted by the assembler, without a warning.
#[test]
fn the_kitchen_sink_assembles() {
    let Some(tools) = llvm::tools() else { return };
    let cases = corpus::cases("ir", "ll").unwrap();
    assert!(cases.len() >= 10, "{cases:?}");
    for path in cases {
        let text = fs::read_to_string(&path).unwrap();
        let bitcode = tools.assemble(&text).unwrap();
        let bitcode = bitcode.unwrap_or_else(|message| panic!("{}: {message}", path.display()));
        let printed = tools.disassemble(&bitcode).unwrap();
        // `llvm-diff` finds differences even here, between blocks whose addresses are taken, so it is not asked.
        assert!(tools.assemble(&printed).unwrap().is_ok(), "{}", path.display());
    }
}

/// An example names the codes it expects, and LLVM's verifier rejects it exactly when one of a static rule is among them: the
/// examples stay clear of the differences between LLVM and the rules.
#[test]
fn the_examples_expect_what_llvm_says() {
    let Some(tools) = llvm::tools() else { return };
    let examples = corpus::examples().unwrap();
    assert!(examples.len() >= 10, "{examples:?}");
    for path in examples {
        let text = fs::read_to_string(&path).unwrap();
        let comments = text.lines().take(2).filter(|line| line.starts_with("; ")).count();
        assert_eq!(comments, 2, "{}: two lines say what it shows", path.display());
        let expected: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("; EXPECT: ")).collect();
        assert!(!expected.is_empty(), "{}: no expectation", path.display());
        let verdict = tools.verify(&text).unwrap();
        let breaks_rules = expected.iter().any(|code| code.starts_with("RC01"));
        assert_eq!(verdict.accepted, !breaks_rules, "{}: {}", path.display(), verdict.output);
    }
}
