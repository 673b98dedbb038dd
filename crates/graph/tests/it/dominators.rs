//! Dominators and post-dominators against the definition: a node dominates another iff removing the one makes the other
//! unreachable.

use crate::common::{graph, node, on_many_graphs, reach};
use cranelift_entity::EntityRef;
use reconverge_graph::{CycleForest, Digraph, Dominators, Node, PostDominators, SuccessorOrder};

fn dominates(graph: &Digraph, a: Node, b: Node) -> bool {
    !reach(graph, graph.entry(), |node| node != a)[b.index()]
}

/// The definition of the immediate dominator, given a relation.
fn immediate(graph: &Digraph, b: Node, dominates: impl Fn(Node, Node) -> bool) -> Option<Node> {
    let strict: Vec<_> = graph.nodes().filter(|&a| a != b && dominates(a, b)).collect();
    strict.iter().copied().find(|&closest| strict.iter().all(|&other| dominates(other, closest)))
}

fn sorted(nodes: impl Iterator<Item = Node>) -> Vec<Node> {
    let mut nodes: Vec<_> = nodes.collect();
    nodes.sort();
    nodes
}

#[test]
fn dominators_agree_with_the_definition() {
    on_many_graphs(1 << 11, 10_000, |graph| {
        let dominators = Dominators::compute(graph);
        let reached = reach(graph, graph.entry(), |_| true);
        for b in graph.nodes() {
            assert_eq!(dominators.is_reachable(b), reached[b.index()]);
            for a in graph.nodes() {
                assert_eq!(dominators.dominates(a, b), dominates(graph, a, b), "{a} dominates {b}");
            }
            let expected = reached[b.index()].then(|| immediate(graph, b, |a, b| dominates(graph, a, b))).flatten();
            assert_eq!(dominators.immediate_dominator(b), expected, "of {b}");
            let children = graph.nodes().filter(|&child| dominators.immediate_dominator(child) == Some(b));
            assert_eq!(sorted(dominators.children(b)), sorted(children));
            let dominated = graph.nodes().filter(|&node| reached[node.index()] && dominators.dominates(b, node));
            let expected = if reached[b.index()] { sorted(dominated) } else { vec![] };
            assert_eq!(sorted(dominators.dominated(b).iter().copied()), expected);
        }
        let position = |node| dominators.tree_preorder().iter().position(|&other| other == node);
        for &node in dominators.tree_preorder() {
            assert!(dominators.immediate_dominator(node).is_none_or(|above| position(above) < position(node)));
        }
    });
}

/// Whether a path leads from `from` to the end of execution without passing `removed`. Ends are nodes without
/// successors and the headers of cycles that cannot be left.
fn ends_without(graph: &Digraph, from: Node, removed: Option<Node>) -> bool {
    let forest = CycleForest::compute(graph, SuccessorOrder::Forward);
    let is_end = |node: Node| {
        let reached = reach(graph, node, |_| true);
        graph.successors(node).is_empty()
            || forest.top_level().any(|cycle| {
                forest.cycles[cycle].header == node
                    && graph.nodes().all(|other| !reached[other.index()] || forest.contains(cycle, other))
            })
    };
    let reached = reach(graph, from, |node| Some(node) != removed);
    graph.nodes().any(|node| reached[node.index()] && is_end(node))
}

#[test]
fn post_dominators_agree_with_the_definition() {
    on_many_graphs(1 << 13, 3_000, |graph| {
        let post_dominators = PostDominators::compute(graph);
        let reached = reach(graph, graph.entry(), |_| true);
        let relation: Vec<Vec<bool>> = graph
            .nodes()
            .map(|a| {
                let post_dominates = |b: Node| !reached[b.index()] || !ends_without(graph, b, Some(a));
                graph.nodes().map(post_dominates).collect()
            })
            .collect();
        for b in graph.nodes() {
            assert_eq!(post_dominators.is_reachable(b), reached[b.index()]);
            assert!(!reached[b.index()] || ends_without(graph, b, None), "every node gets to an end");
            for a in graph.nodes() {
                assert_eq!(post_dominators.post_dominates(a, b), relation[a.index()][b.index()], "{a} after {b}");
            }
            let expected = immediate(graph, b, |a, b| reached[a.index()] && relation[a.index()][b.index()]);
            let expected = expected.filter(|_| reached[b.index()]);
            assert_eq!(post_dominators.immediate_post_dominator(b), expected, "of {b}");
            assert_eq!(post_dominators.roots().any(|root| root == b), reached[b.index()] && expected.is_none());
        }
    });
}

#[test]
fn an_infinite_loop_ends_at_its_header() {
    // n1 is the header of a loop that no edge leaves, with a diamond inside.
    let graph = graph(6, &[(0, 1), (0, 5), (1, 2), (1, 3), (2, 4), (3, 4), (4, 1)]);
    let post_dominators = PostDominators::compute(&graph);
    assert_eq!(post_dominators.immediate_post_dominator(node(2)), Some(node(4)));
    assert_eq!(post_dominators.immediate_post_dominator(node(4)), Some(node(1)));
    assert_eq!(post_dominators.immediate_post_dominator(node(1)), None);
    assert_eq!(post_dominators.immediate_post_dominator(node(0)), None);
}

#[test]
fn a_graph_without_nodes() {
    let graph = graph(0, &[]);
    assert!(Dominators::compute(&graph).tree_preorder().is_empty());
    assert_eq!(PostDominators::compute(&graph).roots().count(), 0);
}
