//! Depth-first search against the recursive definition.

use crate::common::{graph, node, on_many_graphs};
use cranelift_entity::EntityRef;
use reconverge_graph::{DepthFirst, Digraph, Node, SuccessorOrder};

/// The definition, with the call stack.
struct Oracle<'a> {
    graph: &'a Digraph,
    order: SuccessorOrder,
    preorder: Vec<Node>,
    postorder: Vec<Node>,
    parent: Vec<Option<Node>>,
}

impl Oracle<'_> {
    fn visit(&mut self, node: Node, parent: Option<Node>) {
        if self.preorder.contains(&node) {
            return;
        }
        self.preorder.push(node);
        self.parent[node.index()] = parent;
        let mut successors = self.graph.successors(node).to_vec();
        if self.order == SuccessorOrder::Reverse {
            successors.reverse();
        }
        for successor in successors {
            self.visit(successor, Some(node));
        }
        self.postorder.push(node);
    }

    fn is_ancestor(&self, a: Node, b: Node) -> bool {
        let is_reached = self.preorder.contains(&b);
        is_reached && std::iter::successors(Some(b), |node| self.parent[node.index()]).any(|above| above == a)
    }
}

#[test]
fn agrees_with_the_recursive_definition() {
    on_many_graphs(1 << 11, 10_000, |graph| {
        for order in [SuccessorOrder::Forward, SuccessorOrder::Reverse] {
            let parent = vec![None; graph.node_count()];
            let mut oracle = Oracle { graph, order, preorder: vec![], postorder: vec![], parent };
            oracle.visit(graph.entry(), None);
            let search = DepthFirst::compute(graph, order);
            assert_eq!(search.preorder, oracle.preorder);
            assert_eq!(search.postorder, oracle.postorder);
            for a in graph.nodes() {
                assert_eq!(search.parent[a].expand(), oracle.parent[a.index()]);
                assert_eq!(search.number(a), oracle.preorder.iter().position(|&node| node == a));
                for b in graph.nodes() {
                    assert_eq!(search.is_ancestor(a, b), oracle.is_ancestor(a, b), "{a} above {b}");
                }
            }
        }
    });
}

#[test]
fn reverse_takes_the_last_successor_first() {
    let graph = graph(4, &[(0, 1), (0, 2), (1, 3), (2, 3)]);
    let search = DepthFirst::compute(&graph, SuccessorOrder::Reverse);
    assert_eq!(search.preorder, [0, 2, 3, 1].map(node));
    assert!(search.reverse_postorder().eq([0, 1, 2, 3].map(node)));
}

#[test]
fn a_graph_without_nodes() {
    let search = DepthFirst::compute(&graph(0, &[]), SuccessorOrder::Forward);
    assert_eq!((search.preorder.len(), search.postorder.len()), (0, 0));
}
