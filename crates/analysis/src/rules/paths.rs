//! Shortest paths that show a breach.

use std::collections::VecDeque;

use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;
use reconverge_graph::{Digraph, Node};

use super::effort::Effort;

/// A shortest path of at least one edge from `from` to a node that `accept`s, none of whose nodes but perhaps the
/// first is one to `avoid`. Both ends are in it, so a closed path has its node at both. `None` when there is
/// no such path, or no work left to look. O(nodes + edges).
pub(super) fn shortest_path(
    graph: &Digraph,
    from: Node,
    accept: impl Fn(Node) -> bool,
    avoid: impl Fn(Node) -> bool,
    effort: &mut Effort,
) -> Option<Vec<Node>> {
    if !effort.spend(graph.node_count()) {
        return None;
    }
    // `from` may be reached again, by an edge of its own: that is how a closed path ends.
    let mut reached_from = SecondaryMap::<Node, PackedOption<Node>>::with_capacity(graph.node_count());
    let mut queue = VecDeque::from([from]);
    while let Some(node) = queue.pop_front() {
        for &successor in graph.successors(node) {
            if !effort.spend(1) {
                return None;
            }
            if avoid(successor) || reached_from[successor].is_some() {
                continue;
            }
            reached_from[successor] = node.into();
            if accept(successor) {
                let mut path = vec![successor, node];
                while let Some(&last) = path.last()
                    && last != from
                {
                    path.extend(reached_from[last].expand());
                }
                path.reverse();
                return Some(path);
            }
            if successor != from {
                queue.push_back(successor);
            }
        }
    }
    None
}

/// A shortest closed path through `node` without nodes to `avoid`, the first node not repeated.
pub(super) fn shortest_closed_path(
    graph: &Digraph,
    node: Node,
    avoid: impl Fn(Node) -> bool,
    effort: &mut Effort,
) -> Option<Vec<Node>> {
    let mut path = shortest_path(graph, node, |reached| reached == node, avoid, effort)?;
    path.pop();
    Some(path)
}
