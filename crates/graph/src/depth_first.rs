//! Depth-first search from the entry.
//!
//! A depth-first search visits the entry; visiting a node `n` means to number it, then, while `n` has a
//! successor that was not visited, to visit one of them and make `n` its parent, then to leave `n`. *Preorder*
//! is the order in which nodes are numbered, *postorder* the order in which they are left. Which successor is
//! taken first is the caller's choice ([`SuccessorOrder`]) and decides, in irreducible flow, which node of a
//! cycle is its header.
//!
//! Invariant: `preorder` and `postorder` hold the reachable nodes, each once; the descendants of a node in the
//! tree of parents, itself included, are contiguous in `preorder`. So `a` is an ancestor of `b` iff the number of
//! `b` lies in the range of `a`.
//!
//! The search keeps its own stack: depth is bounded by memory only.

use cranelift_entity::PrimaryMap;
use cranelift_entity::packed_option::PackedOption;

use crate::{Digraph, Node};

/// Which unvisited successor a search visits first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SuccessorOrder {
    /// The first successor first.
    #[default]
    Forward,
    /// The last successor first. This is what LLVM's cycle analysis does (it pushes all successors on a
    /// stack and takes them from the top), so use it to get the headers that LLVM gets.
    Reverse,
}

/// The number that stands for "not reached".
const UNREACHED: u32 = u32::MAX;

/// The numbers of a node and its descendants: `number..end` in preorder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Interval {
    number: u32,
    end: u32,
}

/// The outcome of one depth-first search.
///
/// ```
/// use cranelift_entity::EntityRef;
/// use reconverge_graph::{DepthFirst, Digraph, Node, SuccessorOrder};
///
/// let node = Node::new;
/// let diamond = [(0, 1), (0, 2), (1, 3), (2, 3)].map(|(from, to)| (node(from), node(to)));
/// let graph = Digraph::from_edges(4, node(0), &diamond);
/// let search = DepthFirst::compute(&graph, SuccessorOrder::Forward);
/// assert_eq!(search.preorder, [0, 1, 3, 2].map(node));
/// assert!(search.reverse_postorder().eq([0, 2, 1, 3].map(node)));
/// assert!(search.is_ancestor(node(1), node(3)) && !search.is_ancestor(node(2), node(3)));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct DepthFirst {
    /// The reachable nodes in the order the search reached them.
    pub preorder: Vec<Node>,
    /// The reachable nodes in the order the search left them.
    pub postorder: Vec<Node>,
    /// The node from which each node was visited; `None` for the entry and for unreachable nodes.
    pub parent: PrimaryMap<Node, PackedOption<Node>>,
    intervals: PrimaryMap<Node, Interval>,
}

impl DepthFirst {
    /// Searches `graph` from its entry; O(nodes + edges).
    pub fn compute(graph: &Digraph, order: SuccessorOrder) -> DepthFirst {
        /// A node that was reached and not left, and how many of its successors were looked at.
        struct Visit {
            node: Node,
            looked_at: usize,
        }

        let node_count = graph.node_count();
        let mut preorder = Vec::with_capacity(node_count);
        let mut postorder = Vec::with_capacity(node_count);
        let mut parent = PrimaryMap::from(vec![PackedOption::default(); node_count]);
        let mut intervals: PrimaryMap<Node, Interval> =
            PrimaryMap::from(vec![Interval { number: UNREACHED, end: 0 }; node_count]);
        let mut stack = Vec::new();
        if node_count > 0 {
            intervals[graph.entry()].number = 0;
            preorder.push(graph.entry());
            stack.push(Visit { node: graph.entry(), looked_at: 0 });
        }
        while let Some(visit) = stack.last_mut() {
            let node = visit.node;
            let successors = graph.successors(node);
            if visit.looked_at == successors.len() {
                intervals[node].end = preorder.len() as u32;
                postorder.push(node);
                stack.pop();
                continue;
            }
            let successor = match order {
                SuccessorOrder::Forward => successors[visit.looked_at],
                SuccessorOrder::Reverse => successors[successors.len() - 1 - visit.looked_at],
            };
            visit.looked_at += 1;
            if intervals[successor].number == UNREACHED {
                intervals[successor].number = preorder.len() as u32;
                parent[successor] = node.into();
                preorder.push(successor);
                stack.push(Visit { node: successor, looked_at: 0 });
            }
        }
        DepthFirst { preorder, postorder, parent, intervals }
    }

    /// Whether the search reached `node`, that is, whether a path leads there from the entry.
    pub fn is_reachable(&self, node: Node) -> bool {
        self.intervals[node].number != UNREACHED
    }

    /// The position of `node` in `preorder`, if it is reachable.
    pub fn number(&self, node: Node) -> Option<usize> {
        self.is_reachable(node).then_some(self.intervals[node].number as usize)
    }

    /// Whether `a` is `b` or one of the nodes whose visit led to `b`; false when one of them is
    /// unreachable. O(1).
    pub fn is_ancestor(&self, a: Node, b: Node) -> bool {
        let ancestor = self.intervals[a];
        (ancestor.number..ancestor.end).contains(&self.intervals[b].number)
    }

    /// The reachable nodes, last left first: a topological order when the graph has no cycle.
    pub fn reverse_postorder(&self) -> impl ExactSizeIterator<Item = Node> + DoubleEndedIterator {
        self.postorder.iter().rev().copied()
    }

    /// The preorder number of `node`, or `u32::MAX` when it is unreachable.
    pub(crate) fn raw_number(&self, node: Node) -> u32 {
        self.intervals[node].number
    }
}
