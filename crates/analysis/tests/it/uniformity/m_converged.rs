//! M-converged nodes: the definition, and the criterion of the text.
//!
//! **Definition.** A node is m-converged iff the same of its dynamic instances are converged in every cycle hierarchy. Here:
//! for a set of divergent branches, over the pairs of paths that are consistent in at least one hierarchy; paths pass no
//! node more than three times. Longer paths could only take nodes away, so what is found to be m-converged here
//! may not be; what is found not to be is not.

use rayon::prelude::*;
use reconverge_testing::rounds::{is_part, seeds};

use cranelift_entity::EntityRef;
use reconverge_analysis::uniformity::Problem;
use reconverge_analysis::uniformity::m_converged::not_m_converged;
use reconverge_graph::{Cycle, CycleForest, Dominators, Node, hierarchies};

use crate::uniformity::draft::{Draft, Random, random_graph};
use crate::uniformity::instances::{Instances, are_consistent, converged, paths};
use crate::uniformity::joins::{inner_nodes, is_join};

/// By node, whether it is m-converged by the definition.
fn definition_m_converged(
    problem: &Problem,
    divergent: &[bool],
    forests: &[CycleForest],
    paths: &[Vec<Node>],
) -> Vec<bool> {
    let mut runs = Vec::new();
    for forest in forests {
        let mut instances = Instances::new(problem, forest);
        runs.push([0, 1].map(|thread| paths.iter().map(|path| instances.run(thread, path)).collect::<Vec<_>>()));
    }
    let mut m_converged = vec![true; problem.graph.node_count()];
    for first in 0..paths.len() {
        for second in 0..paths.len() {
            let relations: Vec<Vec<(usize, usize)>> =
                runs.iter().map(|[one, other]| converged(&one[first], &other[second])).collect();
            let is_consistent = |index: usize| {
                let [one, other] = &runs[index];
                are_consistent(&one[first], &other[second], &relations[index], |node| divergent[node.index()])
            };
            if relations.iter().all(|relation| relation == &relations[0]) || !(0..runs.len()).any(is_consistent) {
                continue;
            }
            for pair in relations.iter().flatten() {
                if !relations.iter().all(|relation| relation.contains(pair)) {
                    m_converged[paths[first][pair.0].index()] = false;
                }
            }
        }
    }
    m_converged
}

/// By node, whether the criterion of the text finds it to be m-converged, seen from one hierarchy: every cycle around it is reducible, or
///
/// - each join in it of a divergent branch in it is strictly dominated by the branch or by the header, or that holds in
///   a cycle inside of it that contains both; and
/// - no divergent branch outside of it has disjoint paths to two of its entries; any paths when the branch is in a cycle
///   that does not contain this one, since threads may take them in different iterations.
///
/// A branch in a node that is not found to be m-converged counts as divergent.
fn criterion_m_converged(problem: &Problem, divergent: &[bool], forest: &CycleForest) -> Vec<bool> {
    let graph = &problem.graph;
    let dominators = Dominators::compute(graph);
    let strictly = |a: Node, b: Node| a != b && dominators.dominates(a, b);
    let mut m_converged = vec![true; graph.node_count()];
    loop {
        let branches: Vec<Node> =
            graph.nodes().filter(|node| divergent[node.index()] || !m_converged[node.index()]).collect();
        let join_is_fine = |cycle: Cycle, branch: Node, join: Node| {
            let inside = forest.cycles.keys().filter(|&inner| {
                forest.contains_cycle(cycle, inner) && forest.contains(inner, branch) && forest.contains(inner, join)
            });
            strictly(branch, join) || inside.into_iter().any(|inner| strictly(forest.cycles[inner].header, join))
        };
        let is_fine = |cycle: Cycle| {
            let nodes = forest.nodes(cycle);
            forest.is_reducible(cycle)
                || branches.iter().all(|&branch| {
                    if forest.contains(cycle, branch) {
                        let mut joins = nodes.iter().copied().filter(|&node| is_join(graph, branch, node));
                        return joins.all(|join| join_is_fine(cycle, branch, join));
                    }
                    let is_temporal = forest.containing(branch).any(|other| !forest.contains_cycle(other, cycle));
                    let to_entry =
                        |entry: Node| inner_nodes(graph, branch, entry, |node| !forest.contains(cycle, node));
                    let entries = &forest.cycles[cycle].entries;
                    let arrivals: Vec<Vec<u64>> = entries.iter().map(|&entry| to_entry(entry)).collect();
                    let diverge = |one: &u64, other: &u64| is_temporal || one & other == 0;
                    !arrivals.iter().enumerate().any(|(index, one)| {
                        let others = arrivals[..index].iter().flatten();
                        others.into_iter().any(|other| one.iter().any(|path| diverge(path, other)))
                    })
                })
        };
        let next: Vec<bool> = graph.nodes().map(|node| forest.containing(node).all(is_fine)).collect();
        if next == m_converged {
            return next;
        }
        m_converged = next;
    }
}

// conformance: uniformity/18, 19, 24
#[test]
fn the_criterion_finds_only_m_converged_nodes() {
    let counts = seeds(2_000).into_par_iter().map(|seed| {
        let random = &mut Random(seed);
        let draft = Draft::new(random_graph(random, 7));
        let problem = draft.problem();
        let mut all = hierarchies(&problem.graph, 16);
        let forests: Vec<CycleForest> = all.by_ref().collect();
        let Some(paths) = paths(&problem, 3, 250).filter(|_| all.is_complete() && forests.len() > 1) else {
            return [0; 4];
        };
        let sources = 20 + random.below(60) as u64;
        let divergent: Vec<bool> =
            draft.successors.iter().map(|row| row.len() > 1 && random.percent(sources)).collect();
        let by_definition = definition_m_converged(&problem, &divergent, &forests, &paths);
        let mut counts = [1, 0, 0, 0];
        for forest in &forests {
            let by_criterion = criterion_m_converged(&problem, &divergent, forest);
            let failures = not_m_converged(&problem.graph, forest, |node| divergent[node.index()]);
            let fails = |cycle: Cycle| failures.iter().any(|&(failing, _)| failing == cycle);
            for node in problem.graph.nodes() {
                assert_eq!(
                    by_criterion[node.index()],
                    !forest.containing(node).any(fails),
                    "RECONVERGE_SEED={seed}\n{draft}  divergent: {divergent:?}: {node}, {failures:?}"
                );
            }
            for node in problem.graph.nodes().filter(|&node| forest.innermost(node).is_some()) {
                let (definition, criterion) = (by_definition[node.index()], by_criterion[node.index()]);
                let headers: Vec<Node> = forest.cycles.values().map(|data| data.header).collect();
                assert!(
                    definition || !criterion,
                    "RECONVERGE_SEED={seed}\n{draft}  divergent: {divergent:?}, headers: {headers:?}: {node}"
                );
                counts[if !definition {
                    1
                } else if criterion {
                    2
                } else {
                    3
                }] += 1;
            }
        }
        counts
    });
    let [graphs, neither, both, definition_only] =
        counts.reduce(|| [0; 4], |a, b| std::array::from_fn(|index| a[index] + b[index]));
    println!(
        "{graphs} irreducible graphs: {both} nodes m-converged, {definition_only} by the definition only, {neither} not"
    );
    assert!(is_part() || graphs > 100 && both > 100 && neither > 100);
}
