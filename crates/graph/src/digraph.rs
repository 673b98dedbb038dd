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
///
/// A graph without nodes is allowed; its entry is then `n0`, which is not a node, and nothing is reachable.
///
/// ```
/// use cranelift_entity::EntityRef;
/// use reconverge_graph::{Digraph, Node};
///
/// let node = Node::new;
/// // n0 -> n1, n2; n1 -> n2; n2 ends.
/// let graph = Digraph::from_rows(node(0), vec![0, 2, 3, 3], vec![node(1), node(2), node(2)]);
/// assert_eq!(graph.successors(node(0)), [node(1), node(2)]);
/// assert_eq!(graph.predecessors(node(2)), [node(0), node(1)]);
/// ```
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

    /// Builds the graph from rows that the caller already has: the successors of node `i` are
    /// `successors[starts[i]..starts[i + 1]]`, so `starts` has one element more than there are nodes.
    /// O(nodes + edges), with two allocations (the predecessors); predecessors are in index order.
    ///
    /// # Panics
    /// When `starts` is not a non-decreasing sequence from 0 to `successors.len()`, or `entry` or a
    /// successor is not below the number of nodes.
    pub fn from_rows(entry: Node, starts: Vec<u32>, successors: Vec<Node>) -> Digraph {
        assert!(starts.first() == Some(&0), "the first row starts at 0");
        assert!(starts.is_sorted(), "rows do not overlap");
        assert!(starts.last().map(|&end| end as usize) == Some(successors.len()), "the last row ends at the end");
        let node_count = starts.len() - 1;
        assert!(entry.index() < node_count.max(1), "the entry is a node");
        let edges = (0..node_count).map(Node::new).flat_map(|from| {
            let row = row(&starts, &successors, from);
            row.iter().map(move |&to| (to, from))
        });
        let (predecessor_starts, predecessors) = rows(node_count, edges);
        Digraph { entry, successor_starts: starts, successors, predecessor_starts, predecessors }
    }

    /// The node where execution starts.
    pub fn entry(&self) -> Node {
        self.entry
    }

    /// The number of nodes, reachable or not.
    pub fn node_count(&self) -> usize {
        self.successor_starts.len() - 1
    }

    /// The number of edges; parallel edges count each.
    pub fn edge_count(&self) -> usize {
        self.successors.len()
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
///
/// Edges are placed from the last to the first, each just before those already placed in its row, so that
/// the ends of the rows turn into their starts and no second array of cursors is needed.
fn rows(node_count: usize, edges: impl DoubleEndedIterator<Item = (Node, Node)> + Clone) -> (Vec<u32>, Vec<Node>) {
    let mut starts = vec![0u32; node_count + 1];
    for (from, to) in edges.clone() {
        assert!(from.index() < node_count && to.index() < node_count, "both ends of an edge are nodes");
        starts[from.index()] += 1;
    }
    let mut end = 0;
    for start in &mut starts {
        end += *start;
        *start = end;
    }
    let mut targets = vec![Node::new(0); end as usize];
    for (from, to) in edges.rev() {
        let slot = &mut starts[from.index()];
        *slot -= 1;
        targets[*slot as usize] = to;
    }
    (starts, targets)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_edges_build_the_same_graph() {
        let node = Node::new;
        let edges = [(0, 2), (0, 1), (1, 1), (1, 2), (1, 2), (3, 0)].map(|(from, to)| (node(from), node(to)));
        let graph = Digraph::from_edges(4, node(0), &edges);
        let targets = edges.iter().map(|&(_, to)| to).collect();
        assert_eq!(graph, Digraph::from_rows(node(0), vec![0, 2, 5, 5, 6], targets));
        assert_eq!(graph.successors(node(0)), [node(2), node(1)]);
        assert_eq!(graph.predecessors(node(2)), [node(0), node(1), node(1)]);
        assert_eq!((graph.node_count(), graph.edge_count()), (4, 6));
    }

    #[test]
    fn predecessors_keep_the_order_of_edges() {
        let node = Node::new;
        let graph = Digraph::from_edges(3, node(0), &[(node(2), node(0)), (node(1), node(0))]);
        assert_eq!(graph.predecessors(node(0)), [node(2), node(1)]);
    }

    #[test]
    fn no_nodes() {
        let graph = Digraph::from_rows(Node::new(0), vec![0], vec![]);
        assert_eq!((graph.node_count(), graph.edge_count()), (0, 0));
    }
}
