//! Keys against the rules, on random bodies and walks.

use std::collections::{HashMap, HashSet};

use reconverge_graph::SuccessorOrder;
use reconverge_outline::SourceModel;
use reconverge_outline::convergence::{Analysis, Origin, analyze};
use reconverge_outline::dynamics::contexts::{ContextKind, Contexts};
use reconverge_outline::dynamics::{Choice, Extent, Keys, Model, Rules, Unrelated, check_walk};
use reconverge_semantics::{ConvergenceOrder, Key};
use reconverge_testing::rounds::{is_one_seed, is_part, seeds};

use crate::dynamics::oracle::{self, Step, Text};
use crate::dynamics::random::Case;
use crate::dynamics::tangles;

fn analysis(case: &Case) -> Analysis {
    analyze(&case.outline, SourceModel::Clang2025_04)
}

fn keys(case: &Case, model: Model) -> Vec<Vec<Key>> {
    let analysis = analysis(case);
    let rules = Rules::new(&case.outline, &analysis, model);
    let mut keys = Keys::new(&rules);
    case.walks.iter().map(|walk| keys.walk(0, walk)).collect()
}

/// The pairs of steps of different threads with equal keys.
fn pairs(keys: &[Vec<Key>]) -> HashSet<(Step, Step)> {
    let mut by_key: HashMap<Key, Vec<Step>> = HashMap::new();
    for (thread, row) in keys.iter().enumerate() {
        for (step, &key) in row.iter().enumerate() {
            by_key.entry(key).or_default().push((thread, step));
        }
    }
    let mut pairs = HashSet::new();
    for steps in by_key.values() {
        for &one in steps {
            pairs.extend(steps.iter().filter(|other| other.0 != one.0).map(|&other| (one, other)));
        }
    }
    pairs
}

#[test]
fn walks_are_legal() {
    for seed in seeds(1000) {
        let case = Case::new(seed, 2);
        for walk in &case.walks {
            let whole = case.flow.can_end(walk[walk.len() - 1]) && walk.len() < 60;
            let extent = if whole { Extent::Whole } else { Extent::Begin };
            check_walk(&case.flow, walk, extent).unwrap_or_else(|error| panic!("{error}\n{}", case.describe(seed)));
        }
        for node in case.outline.nodes.keys() {
            let next = case.flow.successors(node);
            let different: HashSet<_> = next.iter().collect();
            assert_eq!(different.len(), next.len(), "{node} goes somewhere in two ways\n{}", case.describe(seed));
        }
    }
}

// conformance: clang-2025-04/35
#[test]
fn reducibility_is_as_the_text_says() {
    for seed in seeds(1000) {
        let case = Case::new(seed, 0);
        let analysis = analysis(&case);
        for (node, data) in &case.outline.nodes {
            if data.is_iteration() {
                let is_reducible = oracle::is_reducible(&case.outline, node);
                assert_eq!(analysis.entered[node].is_none(), is_reducible, "{node}\n{}", case.describe(seed));
            }
        }
    }
}

/// Two independent derivations: contexts by intervals, and the analysis by cycles.
#[test]
fn contexts_are_the_places_of_the_analysis() {
    for seed in seeds(2000) {
        let case = Case::new(seed, 0);
        for model in [SourceModel::Clang2025_04, SourceModel::Clang2025_08] {
            let analysis = analyze(&case.outline, model);
            let contexts = Contexts::new(&case.outline, |node| analysis.entered[node].is_none(), model);
            for (node, origin) in case.outline.nodes.keys().map(|node| (node, analysis.places[node].origin)) {
                let context =
                    || format!("{model:?} {node} {origin:?} {:?}\n{}", analysis.cause(node), case.describe(seed));
                assert_eq!(contexts.is_chosen(node), analysis.cause(node).is_some(), "{}", context());
                if analysis.is_defined(node) {
                    let expected = match contexts.contexts[contexts.of[node]].kind {
                        ContextKind::Body => Origin::Body,
                        ContextKind::Iteration(repeats) => Origin::Iteration(repeats),
                        ContextKind::Choice(base) => Origin::Execution(base),
                    };
                    assert_eq!(expected, origin, "{}", context());
                }
            }
        }
    }
}

/// Given what the implementation decides about the nodes for which it may, the rules make exactly the steps with equal keys converged.
// conformance: clang-2025-04/19, 21, 31, 36, 37, 38, 39, 58; clang-2025-08/6, 7, 8
#[test]
fn keys_are_what_the_rules_derive() {
    let mut converged = 0;
    for seed in seeds(250) {
        let case = Case::new(seed, 2 + seed as usize % 3);
        for model in Model::ALL {
            let text = match model {
                Model::Clang2025_04(_) => Text::Sequential,
                Model::Tangles2024_10(_) => continue,
                Model::Clang2025_08(_) => Text::Enclosing,
            };
            let by_keys = pairs(&keys(&case, model));
            let chosen = oracle::implementation_defined(&case.outline, text);
            let is_chosen = |step: Step| chosen.contains(&case.walks[step.0][step.1]);
            let given = by_keys.iter().filter(|&&(one, _)| is_chosen(one)).copied().collect();
            let derived = oracle::Rules::new(&case.outline, text).converged(&case.walks, &given);
            converged += derived.len();
            let mut missing: Vec<_> = derived.symmetric_difference(&by_keys).collect();
            missing.sort();
            assert!(missing.is_empty(), "{model:?} {missing:?}\n{}", case.describe(seed));
        }
    }
    assert!(is_one_seed() || converged > 20_000, "{converged}");
}

// conformance: clang-2025-04/20, 57
#[test]
fn keys_are_distinct_and_ordered() {
    for seed in seeds(1500) {
        let case = Case::new(seed, 2 + seed as usize % 4);
        for model in Model::ALL {
            if let Err(error) = ConvergenceOrder::new(&keys(&case, model)) {
                panic!("{model:?}: {error} {error:?}\n{}", case.describe(seed));
            }
        }
    }
}

/// The interpreter that executes all threads together forms the same tangles.
// conformance: tangles-2024-10/9, 10, 15c, 15d, 16, 17, 18, 19, 20, 21, 21a
#[test]
fn tangles_are_what_the_interpreter_forms() {
    let mut jumped = 0;
    for seed in seeds(2000) {
        let case = Case::new(seed, 2 + seed as usize % 4);
        let by_keys = keys(&case, Model::Tangles2024_10(Unrelated::Apart));
        let tangles = tangles::run(&case.outline, &case.walks);
        for (thread, row) in by_keys.iter().enumerate() {
            assert_eq!(tangles[thread].len(), row.len(), "{}", case.describe(seed));
            for (other, other_row) in by_keys.iter().enumerate().take(thread) {
                for (i, j) in (0..row.len()).flat_map(|i| (0..other_row.len()).map(move |j| (i, j))) {
                    let is_together = tangles[thread][i] == tangles[other][j];
                    jumped += usize::from(is_together);
                    assert_eq!(
                        row[i] == other_row[j],
                        is_together,
                        "{thread}:{i} {other}:{j}\n{}",
                        case.describe(seed)
                    );
                }
            }
        }
    }
    assert!(is_one_seed() || jumped > 20_000, "{jumped}");
}

/// What is united was tangles that stay apart, each as a whole.
// conformance: tangles-2024-10/25
#[test]
fn united_tangles_are_unions() {
    for seed in seeds(1500) {
        let case = Case::new(seed, 2 + seed as usize % 3);
        let apart = pairs(&keys(&case, Model::Tangles2024_10(Unrelated::Apart)));
        for model in Model::ALL {
            if let Model::Tangles2024_10(Unrelated::United(_)) = model {
                let united = pairs(&keys(&case, model));
                let mut split: Vec<_> = apart.difference(&united).collect();
                split.sort();
                assert!(split.is_empty(), "{model:?} {split:?}\n{}", case.describe(seed));
            }
        }
    }
}

/// Where nothing is left to the implementation by the 2025-04 text, uniting all unrelated tangles gives what it says.
#[test]
fn united_tangles_are_the_later_text() {
    let mut compared = 0;
    for seed in seeds(1500) {
        let case = Case::new(seed, 2 + seed as usize % 3);
        if oracle::implementation_defined(&case.outline, Text::Sequential).is_empty() {
            compared += 1;
            let later = pairs(&keys(&case, Model::Clang2025_04(Choice::Solo)));
            let united = pairs(&keys(&case, Model::Tangles2024_10(Unrelated::United(SuccessorOrder::Forward))));
            assert!(later == united, "{}", case.describe(seed));
        }
    }
    assert!(is_part() || compared > 500, "{compared}");
}

/// Where the analysis says that a text defines convergence, every choice gives the same.
// conformance: clang-2025-04/23, 44
#[test]
fn choices_agree_where_the_text_defines() {
    let mut defined = 0;
    for seed in seeds(1500) {
        let case = Case::new(seed, 2 + seed as usize % 3);
        for text in [SourceModel::Clang2025_04, SourceModel::Tangles2024_10, SourceModel::Clang2025_08] {
            let analysis = analyze(&case.outline, text);
            let is_defined = |(thread, step): Step| analysis.is_defined(case.walks[thread][step]);
            let of_text = Model::ALL.into_iter().filter(|model| model.source() == text);
            let all: Vec<HashSet<_>> = of_text
                .map(|model| pairs(&keys(&case, model)).into_iter().filter(|&(one, _)| is_defined(one)).collect())
                .collect();
            defined += all[0].len();
            for other in &all[1..] {
                let mut different: Vec<_> = all[0].symmetric_difference(other).collect();
                different.sort();
                assert!(different.is_empty(), "{text:?} {different:?}\n{}", case.describe(seed));
            }
        }
    }
    assert!(is_one_seed() || defined > 100_000, "{defined}");
}
