//! Join nodes, by their definition: two different paths from a branch to the node share only their ends.

use rayon::prelude::*;
use reconverge_testing::rounds::{is_part, seeds};

use cranelift_entity::EntityRef;
use reconverge_analysis::uniformity::{Branch, Options, Rule, analyze};
use reconverge_graph::{Digraph, Node};

use crate::uniformity::draft::{Draft, Random, random_graph};
use crate::uniformity::random::Oracle;

/// The sets of inner nodes of all paths of at least one edge from `from` to `to`, whose inner nodes are distinct, allowed and no end.
pub(crate) fn inner_nodes(graph: &Digraph, from: Node, to: Node, allowed: impl Fn(Node) -> bool) -> Vec<u64> {
    let mut found = Vec::new();
    let mut stack = vec![(from, 0u64)];
    while let Some((last, inner)) = stack.pop() {
        for &next in graph.successors(last) {
            if next == to {
                found.push(inner);
            } else if next != from && inner & 1 << next.index() == 0 && allowed(next) {
                stack.push((next, inner | 1 << next.index()));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether `node` is a join of the branch that ends `branch`.
pub(crate) fn is_join(graph: &Digraph, branch: Node, node: Node) -> bool {
    let paths = inner_nodes(graph, branch, node, |_| true);
    paths.iter().enumerate().any(|(index, one)| paths[..index].iter().any(|other| one & other == 0))
}

/// Without cycles and with a single divergent branch, a phi of distinct constants is divergent exactly at the joins.
// conformance: uniformity/2, 14
#[test]
fn phis_are_divergent_at_joins() {
    let counts = seeds(2_000).into_par_iter().map(|seed| {
        let random = &mut Random(seed);
        let mut successors = random_graph(random, 10);
        for (node, row) in successors.iter_mut().enumerate() {
            row.retain(|&to| to > node);
        }
        let mut draft = Draft::new(successors);
        let graph = draft.graph();
        let constants: Vec<usize> = graph.nodes().map(|_| draft.value(None, Rule::Constant, Vec::new())).collect();
        for node in graph.nodes() {
            let operands: Vec<(usize, usize)> =
                graph.predecessors(node).iter().map(|from| (constants[from.index()], from.index())).collect();
            if operands.len() > 1 {
                draft.value(Some(node.index()), Rule::Phi, operands);
            }
            draft.branches[node.index()] = Branch::On(0);
        }
        let branching: Vec<Node> = graph.nodes().filter(|&node| graph.successors(node).len() > 1).collect();
        if branching.is_empty() {
            return [0; 2];
        }
        let branch = random.pick(&branching);
        draft.branches[branch.index()] = Branch::Source;
        // Only what is reachable counts; the chain may have been cut.
        let reachable =
            |node: Node| node == graph.entry() || !inner_nodes(&graph, graph.entry(), node, |_| true).is_empty();
        let problem = draft.problem();
        let found = analyze(&problem, &Options::default());
        let oracle = Oracle::new(&problem).expect("a single hierarchy");
        let mut counts = [0; 2];
        for (value, data) in problem.values.iter().enumerate() {
            let Some(node) = data.node.filter(|&node| reachable(branch) && reachable(node)) else { continue };
            let expected = is_join(&graph, branch, node);
            let context = || format!("RECONVERGE_SEED={seed}: {branch} and {node} in\n{draft}");
            assert_eq!(oracle.union.values[value], expected, "oracle, {}", context());
            assert_eq!(found.values[value].is_some(), expected, "{}", context());
            counts[usize::from(expected)] += 1;
        }
        counts
    });
    let [others, joins] = counts.reduce(|| [0; 2], |a, b| [a[0] + b[0], a[1] + b[1]]);
    println!("{joins} joins, {others} other nodes with a phi");
    assert!(is_part() || joins > 500 && others > 500);
}

#[test]
fn joins_of_a_diamond_and_of_parallel_edges() {
    let node = Node::new;
    let graph = Draft::new(vec![vec![1, 2], vec![3], vec![3, 3], vec![4], vec![]]).graph();
    assert!(is_join(&graph, node(0), node(3)));
    assert!(!is_join(&graph, node(0), node(4)) && !is_join(&graph, node(2), node(3)));
    let cyclic = Draft::new(vec![vec![1], vec![2, 3], vec![1, 3], vec![]]).graph();
    assert!(is_join(&cyclic, node(1), node(3)) && !is_join(&cyclic, node(1), node(1)));
}
