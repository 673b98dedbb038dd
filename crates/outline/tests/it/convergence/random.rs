//! The fast analysis against the transcriptions, and the tokens against LLVM's static rules, on random programs.

use std::collections::{HashMap, HashSet};

use reconverge_outline::SourceModel;
use reconverge_outline::convergence::{self, Analysis, Origin, Reason};
use reconverge_outline::random::{Shape, sketch};
use reconverge_outline::{Node, Outline};
use reconverge_testing::random::SplitMix64;
use reconverge_testing::rounds::{is_one_seed, seeds};
use reconverge_testing::{llvm, verdicts};

use crate::convergence::{nodes, oracle, outline, tangles, tokens, walks};

/// Random programs of at most about `size` statements.
fn programs(rounds: u64, size: usize, mut visit: impl FnMut(u64, &str, &Outline)) {
    for seed in seeds(rounds) {
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

// conformance: tangles-2024-10/15c, 15d, 18, 19
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
    assert!(is_one_seed() || visits > 10_000, "only {visits} visits");
}

#[test]
fn tokens_keep_the_static_rules() {
    programs(6000, 40, |seed, text, outline| {
        let plan = convergence::plan(outline);
        let violations = tokens::violations(outline, &plan);
        assert!(violations.is_empty(), "seed {seed}: {text}\n{violations:?}");
    });
}

type TanglesByContext = HashMap<Vec<(Node, usize)>, HashSet<u64>>;

/// A choice that the analysis sees is one: threads come to the node in several tangles. Not all show in random walks, and where code cannot be reached the
/// analysis sees too many: it takes each iteration statement for one that is reached from its start and iterates.
#[test]
fn choices_of_tangles_are_real() {
    let (mut shown, mut hidden) = (0, 0);
    programs(1500, 7, |seed, _, outline| {
        let analysis = convergence::analyze(outline, SourceModel::Tangles2024_10);
        let mut random = SplitMix64::new(seed ^ 0x5eed);
        let mut found: HashMap<Node, TanglesByContext> = HashMap::new();
        for _ in 0..400 {
            for visit in tangles::walk(outline, &analysis, 60, &mut |bound| random.below(bound)) {
                let at_choice = analysis
                    .cause(visit.node)
                    .is_some_and(|cause| cause.at == visit.node || cause.reason == Reason::DifferentRounds);
                if at_choice {
                    found.entry(visit.node).or_default().entry(visit.context).or_default().insert(visit.tangle);
                }
            }
        }
        for contexts in found.into_values() {
            match contexts.values().any(|tangles| tangles.len() > 1) {
                true => shown += 1,
                false => hidden += 1,
            }
        }
    });

    assert!(is_one_seed() || hidden * 10 < shown, "{hidden} of {shown}");
}

#[test]
fn the_verifier_of_llvm_accepts_the_tokens() {
    let Some(tools) = llvm::tools() else { return };
    let mut module = ["entry", "loop", "anchor"]
        .map(|name| format!("declare token @llvm.experimental.convergence.{name}()\n"))
        .concat();
    module.push_str("declare void @op(i32) convergent\n");
    let mut texts = Vec::new();
    programs(1500, 25, |_, text, outline| {
        module += &tokens::assembly(outline, &convergence::plan(outline), texts.len());
        texts.push(text.to_owned());
    });
    let verdicts = verdicts::llvm_verdicts(tools, &module).expect("the module is read");
    let rejected: Vec<_> = verdicts.rejected().map(|(index, messages)| (&texts[index], messages)).collect();
    assert!(rejected.is_empty(), "{} of {}: {:#?}", rejected.len(), texts.len(), rejected.first());
}

/// The rules see it when tokens are put without care: all operations use the body's.
#[test]
fn careless_tokens_break_the_static_rules() {
    let (mut broken, mut cyclic) = (0, 0);
    programs(300, 40, |_, _, outline| {
        let mut plan = convergence::plan(outline);
        plan.anchor.clear();
        plan.heart.clear();
        plan.token.clear();
        let analysis = convergence::analyze(outline, SourceModel::Clang2025_04);
        cyclic += usize::from(!analysis.cycles.is_empty());
        broken += usize::from(!tokens::violations(outline, &plan).is_empty());
    });
    assert!(broken * 2 > cyclic, "{broken} of {cyclic}");
}

/// What makes the rules consistent: no thread comes to a node twice in one execution of its origin.
#[test]
fn a_node_is_executed_once_for_each_execution_of_its_origin() {
    for model in [SourceModel::Clang2025_04, SourceModel::Clang2025_08] {
        programs(2000, 16, |seed, text, outline| {
            let analysis = convergence::analyze(outline, model);
            let mut random = SplitMix64::new(seed ^ 0xabcd);
            for _ in 0..8 {
                let repeated = walks::repeated(outline, &analysis, 120, &mut |bound| random.below(bound));
                assert_eq!(repeated, None, "seed {seed}: {text}");
            }
        });
    }
}

// conformance: tangles-2024-10/26
#[test]
fn labels_that_join_in_the_maximal_procedure() {
    programs(3000, 16, |seed, text, outline| {
        assert_eq!(convergence::joining_labels(outline), oracle::joining_labels(outline), "seed {seed}: {text}");
        let analysis = convergence::analyze(outline, SourceModel::Tangles2024_10);
        for cycle in analysis.cycles.keys() {
            let expected = oracle::entries(outline, &analysis.cycles[cycle]);
            assert_eq!(analysis.entries(outline, cycle), expected, "seed {seed}, {cycle}: {text}");
        }
    });
}
