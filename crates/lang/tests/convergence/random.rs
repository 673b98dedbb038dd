//! The fast analysis against the transcriptions, and the tokens against LLVM's static rules, on random programs.

use reconverge_lang::convergence::{self, Analysis, Origin};
use reconverge_lang::options::SourceModel;
use reconverge_lang::outline::random::{Shape, sketch};
use reconverge_lang::outline::{Node, Outline};
use reconverge_testing::random::SplitMix64;

use crate::{nodes, oracle, outline, tangles, tokens};

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

/// Random programs of at most about `size` statements.
fn programs(rounds: u64, size: usize, mut visit: impl FnMut(u64, &str, &Outline)) {
    let first = setting("RECONVERGE_SEED", 1);
    for seed in first..first + rounds * setting("RECONVERGE_ROUNDS", 1) {
        let mut random = SplitMix64::new(seed);
        let shape = [Shape::Structured, Shape::Forward, Shape::Any, Shape::Any, Shape::Any][random.below(5)];
        let size = 1 + random.below(size);
        let text = sketch(size, shape, &mut |bound| random.below(bound));
        visit(seed, &text, &outline(&text));
    }
}

/// The end of the chain of origins: nothing for the body, else the unit.
fn root(analysis: &Analysis, mut node: Node) -> Option<Node> {
    loop {
        match analysis.places[node].origin {
            Origin::Body => return None,
            Origin::Execution(unit) => return Some(unit),
            Origin::Iteration(next) => node = next,
            Origin::Round(_) => unreachable!("there are no rounds in these texts"),
        }
    }
}

#[test]
fn statements_are_where_the_rules_of_2025_04_put_them() {
    programs(4000, 14, |seed, text, outline| {
        let analysis = convergence::analyze(outline, SourceModel::Clang2025_04);
        let expected = oracle::by_cycles(outline);
        for node in nodes(outline) {
            assert_eq!(root(&analysis, node), expected[node], "seed {seed}, {node}: {text}");
            assert_eq!(analysis.is_defined(node), expected[node].is_none(), "seed {seed}, {node}: {text}");
        }
    });
}

#[test]
fn statements_are_where_the_rules_of_2025_08_put_them() {
    programs(4000, 14, |seed, text, outline| {
        let analysis = convergence::analyze(outline, SourceModel::Clang2025_08);
        let expected = oracle::by_enclosing_statement(outline);
        for node in nodes(outline) {
            assert_eq!(analysis.is_defined(node), expected[node], "seed {seed}, {node}: {text}");
            assert_eq!(root(&analysis, node).is_none(), expected[node], "seed {seed}, {node}: {text}");
        }
    });
}

#[test]
fn tangles_are_what_threads_derive() {
    let mut visits = 0;
    programs(3000, 12, |seed, text, outline| {
        let analysis = convergence::analyze(outline, SourceModel::Tangles2024_10);
        let mut random = SplitMix64::new(seed ^ 0x7a_4c1e);
        let walks: Vec<_> =
            (0..12).map(|_| tangles::walk(outline, &analysis, 80, &mut |bound| random.below(bound))).collect();
        let mut met = tangles::Met::default();
        for visit in walks.iter().flatten() {
            if !analysis.is_defined(visit.node) {
                continue;
            }
            let clash = met.insert(visit);
            assert!(clash.is_none(), "seed {seed}, {}: {clash:?} in {text}", visit.node);
            visits += 1;
        }
    });
    assert!(visits > 10_000, "only {visits} visits");
}

#[test]
fn tokens_keep_the_static_rules() {
    programs(6000, 40, |seed, text, outline| {
        let plan = convergence::plan(outline);
        let violations = tokens::violations(outline, &plan);
        assert!(violations.is_empty(), "seed {seed}: {text}\n{violations:?}");
    });
}
