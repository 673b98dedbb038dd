//! The strongly connected component of one node.
//!
//! **Definition.** In the subgraph without the nodes to avoid, the component of `n` is the set of nodes `m` with a path
//! from `n` to `m` and a path from `m` to `n`. It is the intersection of what `n` reaches and what reaches `n`,
//! which two searches find. For all components at once, the top level of a [`CycleForest`](crate::CycleForest) is
//! what to ask: every component with an internal edge that the entry reaches.

use cranelift_entity::PrimaryMap;

use crate::{Digraph, Node};

/// The nodes that `node` reaches and that reach `node` without passing a node that is `avoiding`, in index order.
/// `node` itself is always among them and is not asked about. O(nodes + edges).
pub fn strongly_connected_component(graph: &Digraph, node: Node, avoiding: impl Fn(Node) -> bool) -> Vec<Node> {
    let allowed = |other: Node| !avoiding(other);
    let after = closure(graph.node_count(), node, |node| graph.successors(node), allowed);
    let before = closure(graph.node_count(), node, |node| graph.predecessors(node), |other| after[other]);
    graph.nodes().filter(|&node| before[node]).collect()
}

/// The nodes that `start` leads to by steps to `allowed` nodes, `start` included.
pub(crate) fn closure<'a>(
    node_count: usize,
    start: Node,
    steps: impl Fn(Node) -> &'a [Node],
    allowed: impl Fn(Node) -> bool,
) -> PrimaryMap<Node, bool> {
    let mut reached = PrimaryMap::from(vec![false; node_count]);
    reached[start] = true;
    let mut stack = vec![start];
    while let Some(node) = stack.pop() {
        for &next in steps(node) {
            if !reached[next] && allowed(next) {
                reached[next] = true;
                stack.push(next);
            }
        }
    }
    reached
}
