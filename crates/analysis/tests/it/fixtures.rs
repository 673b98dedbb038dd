//! Each rule on the smallest function that breaks it and on one beside it that is fine.

use crate::common::function;
use expect_test::{Expect, expect};
use reconverge_analysis::regions::{RegionEnd, RegionStart, convergence_regions};
use reconverge_analysis::rules::check;

/// What is reported: code, then names as `common::show` numbers them.
fn report(text: &str) -> String {
    let function = function(text);
    let mut report = String::new();
    for violation in check(&function) {
        report.push_str(&format!("{} t{}", violation.rule.name(), violation.operation));
        if let Some(definition) = violation.definition {
            report.push_str(&format!(" of t{definition}"));
        }
        if let Some(other) = violation.other {
            report.push_str(&format!(", t{other}"));
        }
        if let Some(bundle) = violation.bundle {
            report.push_str(&format!(", bundle {bundle}"));
        }
        if let Some(operand) = violation.operand {
            report.push_str(&format!(" operand {operand}"));
        }
        if !violation.path.is_empty() {
            let path: Vec<String> = violation.path.iter().map(|block| format!("b{}", block.as_u32())).collect();
            report.push_str(&format!(" along {}", path.join(" ")));
        }
        report.push('\n');
    }
    report
}

fn broken(text: &str, expected: Expect) {
    expected.assert_eq(&report(text));
}

fn fine(text: &str) {
    assert_eq!(report(text), "", "{text}");
}

#[test]
fn nothing_to_check() {
    fine("a: call; call -> a");
    fine("a: -> b\nb: nop");
    fine("convergent\na: E = entry");
}

// conformance: operations/18c
#[test]
fn rc0101_entry_in_a_function_that_is_not_convergent() {
    broken(
        "a: E = entry; call E",
        expect![[r#"
        RC0101 t0
    "#]],
    );
    fine("convergent\na: E = entry; call E");
}

// conformance: operations/18a
#[test]
fn rc0102_entry_elsewhere() {
    broken(
        "convergent\na: -> b\nb: E = entry",
        expect![[r#"
        RC0102 t0
    "#]],
    );
    broken(
        "convergent\na:\nunreachable: E = entry",
        expect![[r#"
        RC0102 t0
    "#]],
    );
}

// conformance: operations/18
#[test]
fn rc0103_two_entries() {
    broken(
        "convergent\na: E = entry -> b\nb: F = entry -> c\nc: G = entry",
        expect![[r#"
        RC0102 t1
        RC0103 t1, t0
        RC0102 t2
        RC0103 t2, t0
    "#]],
    );
}

// conformance: operations/18b
#[test]
fn rc0104_entry_after_another_operation() {
    broken(
        "convergent\na: A = anchor; E = entry",
        expect![[r#"
        RC0104 t1, t0
    "#]],
    );
    fine("convergent\na: nop; E = entry; A = anchor");
}

// conformance: operations/21a
#[test]
fn rc0105_loop_after_another_operation() {
    broken(
        "convergent\na: E = entry; L = loop E",
        expect![[r#"
        RC0105 t1, t0
    "#]],
    );
    broken(
        "convergent\na: E = entry -> h\nh: A = anchor; call A; L = loop E -> h",
        expect![[r#"
        RC0105 t3, t2
    "#]],
    );
    fine("convergent\na: E = entry -> h\nh: nop; L = loop E; A = anchor; call A -> h");
}

// conformance: operations/21
#[test]
fn rc0106_loop_without_a_token() {
    broken(
        "a: -> h\nh: L = loop; call L -> h",
        expect![[r#"
        RC0106 t0
    "#]],
    );
}

// conformance: operations/24
#[test]
fn rc0107_entry_or_anchor_with_a_token() {
    broken(
        "convergent\na: E = entry; A = anchor E",
        expect![[r#"
        RC0107 t1
    "#]],
    );
}

#[test]
fn rc0108_bundles() {
    broken(
        "a: A = anchor; call []; call [A A]; call A A; call [] A",
        expect![[r#"
        RC0108 t1, bundle 0
        RC0108 t2, bundle 0
        RC0108 t3, bundle 1
        RC0108 t4, bundle 0
        RC0108 t4, bundle 1
    "#]],
    );
}

// conformance: operations/12
#[test]
fn rc0109_no_token() {
    broken(
        "a: C = call; call C; call poison; call [phi select]",
        expect![[r#"
        RC0112 t0, t1
        RC0109 t1 of t0, bundle 0 operand 0
        RC0109 t2, bundle 0 operand 0
        RC0108 t3, bundle 0
        RC0109 t3, bundle 0 operand 0
        RC0109 t3, bundle 0 operand 1
    "#]],
    );
}

#[test]
fn rc0111_definition_that_does_not_dominate() {
    broken(
        "a: -> l r\nl: A = anchor -> j\nr: -> j\nj: call A",
        expect![[r#"
        RC0111 t1 of t0
    "#]],
    );
    broken(
        "a: call A; A = anchor",
        expect![[r#"
        RC0111 t0 of t1
    "#]],
    );
    broken(
        "a: L = loop L",
        expect![[r#"
        RC0111 t0 of t0
    "#]],
    );
    broken(
        "a: call A\nunreachable: A = anchor",
        expect![[r#"
        RC0111 t0 of t1
    "#]],
    );
    fine("a: A = anchor -> l j\nl: call A -> j\nj: call A");
    fine("a: nop\nunreachable: call A; A = anchor");
}

// conformance: operations/25
#[test]
fn rc0112_controlled_and_uncontrolled() {
    broken(
        "a: call; A = anchor; call A; call",
        expect![[r#"
        RC0112 t0, t2
        RC0112 t3, t2
    "#]],
    );
    // An anchor alone controls nothing.
    fine("a: A = anchor; call -> b\nb: call");
}

// conformance: operations/14, 30
#[test]
fn rc0113_use_in_a_cycle_of_a_token_from_outside() {
    broken(
        "a: A = anchor -> h\nh: nop -> b x\nb: call A -> h\nx:",
        expect![[r#"
        RC0113 t1 of t0 along b2 b1
        RC0116 t1 of t0 along b2 b1
    "#]],
    );
    broken(
        "convergent\na: E = entry -> h\nh: call E -> h x\nx:",
        expect![[r#"
        RC0113 t1 of t0 along b1
    "#]],
    );
    fine("a: A = anchor -> h\nh: L = loop A -> b x\nb: call L -> h\nx: call A");
    // The token is made anew in each iteration.
    fine("a: -> h\nh: A = anchor; call A -> h x\nx: call A");
    // Only the inner cycle lacks the definition.
    broken(
        "a: -> o\no: A = anchor -> i\ni: call A -> i e\ne: -> o x\nx:",
        expect![[r#"
        RC0113 t1 of t0 along b2
    "#]],
    );
}

// conformance: operations/31, 48
#[test]
fn rc0114_two_hearts_on_one_token() {
    broken(
        "a: A = anchor -> h\nh: L = loop A; call L -> b x\nb: M = loop A; call M -> h\nx:",
        expect![[r#"
        RC0114 t3 of t0, t1 along b1 b2
        RC0116 t3 of t0 along b2 b1
    "#]],
    );
    // Two inner cycles in a cycle without a heart.
    broken(
        "a: A = anchor -> h\nh: -> p q x\np: L = loop A -> p l\nq: M = loop A -> q l\nl: -> h\nx:",
        expect![[r#"
        RC0116 t1 of t0 along b2 b4 b1
        RC0116 t2 of t0 along b3 b4 b1
    "#]],
    );
    fine("a: A = anchor -> h\nh: L = loop A -> h n\nn: M = loop A -> n x\nx:");
}

// conformance: operations/32
#[test]
fn rc0115_hearts_on_two_tokens() {
    broken(
        "a: A = anchor; B = anchor -> h\nh: L = loop A -> b x\nb: M = loop B -> h\nx:",
        expect![[r#"
        RC0117 t2 of t0, t1 along b0 b1 b2
        RC0115 t3 of t1, t2 along b1 b2
        RC0116 t3 of t1 along b2 b1
    "#]],
    );
    fine("a: A = anchor -> h\nh: L = loop A -> i\ni: M = loop L -> i l\nl: -> h x\nx:");
}

// conformance: operations/22a, 33
#[test]
fn rc0116_heart_elsewhere_than_in_the_header() {
    broken(
        "a: A = anchor -> h\nh: nop -> b x\nb: L = loop A; call L -> h\nx:",
        expect![[r#"
        RC0116 t1 of t0 along b2 b1
    "#]],
    );
    // A cycle with two entries.
    broken(
        "a: A = anchor -> l r\nl: L = loop A -> r x\nr: nop -> l\nx:",
        expect![[r#"
        RC0116 t1 of t0 along b1 b2
    "#]],
    );
    fine("a: A = anchor -> h\nh: L = loop A -> b x\nb: nop -> h x\nx:");
    // The cycle that matters is the outermost that lacks the definition, not the innermost around the use.
    broken(
        "a: A = anchor -> h\nh: -> i x\ni: L = loop A -> i l\nl: -> h\nx:",
        expect![[r#"
        RC0116 t1 of t0 along b2 b3 b1
    "#]],
    );
    // An irreducible cycle needs no heart when it makes its own tokens.
    fine("a: -> l r\nl: A = anchor; call A -> r x\nr: B = anchor; call B -> l\nx:");
}

// conformance: operations/36
#[test]
fn rc0117_regions_that_cross() {
    broken(
        "a: A = anchor; B = anchor; call A; call B",
        expect![[r#"
        RC0117 t2 of t0, t1 along b0
    "#]],
    );
    broken(
        "a: A = anchor -> b\nb: B = anchor -> l r\nl: call A -> r\nr: call B",
        expect![[r#"
        RC0117 t2 of t0, t1 along b1 b2 b3
    "#]],
    );
    fine("a: A = anchor; B = anchor; call B; call A");
    // On the way of `A` the token of `B` is dead, and the other way round.
    fine("a: A = anchor; B = anchor -> l r\nl: call A\nr: call B");
    // Round the back edge `B` would be reached again, but through its definition.
    fine("convergent\na: E = entry -> h\nh: L = loop E; B = anchor; call B; call L -> h x\nx: call E");
    // The use of the outer token comes while the inner cycle's token is still needed after the cycle.
    broken(
        "a: A = anchor -> h\nh: L = loop A -> h x\nx: call A; call L",
        expect![[r#"
        RC0117 t2 of t0, t1 along b1 b2
    "#]],
    );
    fine("a: A = anchor -> h\nh: L = loop A -> h x\nx: call L; call A");
}

#[test]
fn a_heart_that_may_run_only_in_some_iterations() {
    // Each thread runs it at most once per outer iteration: the count is of its executions, not of the cycle's.
    broken(
        "a: A = anchor -> b\nb: nop -> c d\nc: L = loop A; call L -> d\nd: nop -> e f\ne: F = anchor; call F -> f\nf: -> b g\ng:",
        expect![[r#"
            RC0116 t1 of t0 along b2 b3 b5 b1
        "#]],
    );
    fine(
        "a: A = anchor -> b\nb: L = loop A -> c d\nc: call L -> d\nd: nop -> e f\ne: F = anchor; call F -> f\nf: -> b g\ng:",
    );
}

#[test]
fn an_early_exit_keeps_the_token_of_its_iteration() {
    // Break blocks that use the heart's token are outside the cycle but inside the region.
    fine("convergent\na: E = entry -> h\nh: L = loop E -> b x\nb: -> h brk\nbrk: call L -> x\nx: call E");
}

#[test]
fn odd_functions_do_not_panic() {
    for text in [
        "a: L = loop L L [L L] [] -> a",
        "a: -> a\nb: A = anchor B; B = anchor A; call [A B] -> b a",
        "convergent\na: E = entry E; E2 = entry E -> a a a\nb: L = loop L2 -> a\nc: L2 = loop L -> b",
        "a: call [A B]; A = anchor; B = anchor; call A B; call B A -> a",
    ] {
        report(text);
    }
    report("a:");
    let nest = "a: E = entry; call E -> h\nh: L = loop E; A = anchor; call A; call L -> i x\ni: M = loop L; call M -> i h\nx: call E";
    let mut unsorted = function(nest);
    for _ in 0..unsorted.operations.len() {
        unsorted.operations.rotate_left(1);
        check(&unsorted);
        convergence_regions(&unsorted);
    }
    unsorted.operations.reverse();
    check(&unsorted);
}

/// The region of each token: its definition, its uses, the definition around it, and the parts of blocks, where `(`
/// stands after the definition, `[` at the start of a block, `]` at its end, and a name for the last use.
fn regions(text: &str) -> String {
    let function = function(text);
    let mut report = String::new();
    for region in convergence_regions(&function) {
        report.push_str(&format!("t{} used by {:?}", region.definition, region.uses));
        if let Some(parent) = region.parent {
            report.push_str(&format!(" inside t{parent}"));
        }
        for part in region.blocks {
            let start = if part.start == RegionStart::Block { '[' } else { '(' };
            let end = match part.end {
                RegionEnd::Block => "]".to_string(),
                RegionEnd::Use(operation) => format!(" t{operation}"),
            };
            report.push_str(&format!(" {start}b{}{end}", part.block.as_u32()));
        }
        report.push('\n');
    }
    report
}

// conformance: operations/35
#[test]
fn regions_of_nested_loops() {
    let nest =
        "convergent\na: E = entry -> h\nh: L = loop E -> i x\ni: M = loop L; call M -> i l\nl: call L -> h\nx: call E";
    expect![[r#"
        t0 used by [1, 5] (b0] [b1] [b2] [b3] [b4 t5
        t1 used by [2, 4] inside t0 (b1] [b2] [b3 t4
        t2 used by [3] inside t1 (b2 t3
    "#]]
    .assert_eq(&regions(nest));
    // No use, or none that can be reached, is no region; the exit of a loop may be in the region of its heart.
    let exits = "convergent\na: E = entry; A = anchor -> h\nh: L = loop E -> h brk\nbrk: call L\nunreachable: call A";
    expect![[r#"
        t0 used by [2] (b0] [b1]
        t1 used by [] inside t0
        t2 used by [3] inside t0 (b1] [b2 t3
    "#]]
    .assert_eq(&regions(exits));
}
