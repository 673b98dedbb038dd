//! A directed graph with a distinguished entry, in compressed sparse rows.
//!
//! Invariant: `successors` and `predecessors` describe the same multiset of edges; successors keep the
//! order in which edges were given (the order of a terminator's operands), parallel edges included.

use cranelift_entity::{EntityRef, entity_impl};

/// A node of a [`Digraph`]: a basic block, when the graph is a control-flow graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node(u32);
entity_impl!(Node, "n");

/// A directed graph with an entry node, immutable once built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Digraph {
    entry: Node,
    successor_starts: Vec<u32>,
    successors: Vec<Node>,
    predecessor_starts: Vec<u32>,
    predecessors: Vec<Node>,
}

impl Digraph {
    /// Builds the graph from edges `(from, to)`; O(nodes + edges).
    ///
    /// # Panics
    /// When `entry` or an end of an edge is not below `node_count`.
    pub fn from_edges(node_count: usize, entry: Node, edges: &[(Node, Node)]) -> Digraph {
        assert!(entry.index() < node_count.max(1), "the entry is a node");
        let (successor_starts, successors) = rows(node_count, edges.iter().copied());
        let (predecessor_starts, predecessors) = rows(node_count, edges.iter().map(|&(from, to)| (to, from)));
        Digraph { entry, successor_starts, successors, predecessor_starts, predecessors }
    }

    /// The node where execution starts.
    pub fn entry(&self) -> Node {
        self.entry
    }

    /// The number of nodes, reachable or not.
    pub fn node_count(&self) -> usize {
        self.successor_starts.len() - 1
    }

    /// All nodes, in index order.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = Node> + DoubleEndedIterator + use<> {
        (0..self.node_count()).map(Node::new)
    }

    /// The targets of the edges out of `node`, in the order they were given.
    pub fn successors(&self, node: Node) -> &[Node] {
        row(&self.successor_starts, &self.successors, node)
    }

    /// The sources of the edges into `node`, by the order in which the edges were given.
    pub fn predecessors(&self, node: Node) -> &[Node] {
        row(&self.predecessor_starts, &self.predecessors, node)
    }
}

fn row<'a>(starts: &[u32], targets: &'a [Node], node: Node) -> &'a [Node] {
    &targets[starts[node.index()] as usize..starts[node.index() + 1] as usize]
}

/// A counting sort of edges by their first end; stable.
fn rows(node_count: usize, edges: impl Iterator<Item = (Node, Node)> + Clone) -> (Vec<u32>, Vec<Node>) {
    let mut starts = vec![0u32; node_count + 1];
    for (from, _) in edges.clone() {
        starts[from.index() + 1] += 1;
    }
    for index in 0..node_count {
        starts[index + 1] += starts[index];
    }
    let mut next = starts.clone();
    let mut targets = vec![Node::new(0); starts[node_count] as usize];
    for (from, to) in edges {
        let slot = &mut next[from.index()];
        targets[*slot as usize] = to;
        *slot += 1;
    }
    (starts, targets)
}
