//! Whether a thread can execute a list of blocks.
//!
//! **Definition.** A thread starts at the entry, goes from each block to one of its successors, and ends at a block
//! without successors ("Threads and Dynamic Instances"). A *part* of that is any list of blocks with an edge from each to
//! the next, the first of which the entry leads to: the documents also show threads before they end.

use std::fmt;

use reconverge_graph::{DepthFirst, Digraph, Node, SuccessorOrder};

/// How much of a thread's execution a path is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Extent {
    /// All of it.
    #[default]
    Whole,
    /// It may begin anywhere, as if nothing had been executed before, and end anywhere.
    Part,
}

/// Why no thread can execute a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathError {
    /// The thread, counted from 0.
    pub thread: usize,
    /// What is wrong with its path.
    pub problem: PathProblem,
}

/// What is wrong with a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathProblem {
    /// It has no blocks.
    Empty,
    /// A block is not in the graph.
    NoSuchNode {
        /// The position in the path, counted from 0.
        step: usize,
        /// What is there.
        node: Node,
    },
    /// The first block is not the entry.
    NotFromEntry {
        /// The first block.
        first: Node,
        /// The entry of the graph.
        entry: Node,
    },
    /// The entry does not lead to the first block.
    Unreachable {
        /// The first block.
        first: Node,
    },
    /// No edge leads from a block to the next.
    NoSuchEdge {
        /// The position of `to` in the path, counted from 0.
        step: usize,
        /// The block before.
        from: Node,
        /// The block that does not follow it.
        to: Node,
    },
    /// The last block has successors.
    EndsEarly {
        /// The last block.
        last: Node,
    },
}

impl fmt::Display for PathError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "thread {}: {}", self.thread + 1, self.problem)
    }
}

impl fmt::Display for PathProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PathProblem::Empty => formatter.write_str("the path is empty"),
            PathProblem::NoSuchNode { step, node } => {
                write!(formatter, "step {}: {node} is not in the graph", step + 1)
            }
            PathProblem::NotFromEntry { first, entry } => {
                write!(formatter, "begins at {first}, not at the entry {entry}")
            }
            PathProblem::Unreachable { first } => write!(formatter, "begins at {first}, where no thread comes"),
            PathProblem::NoSuchEdge { step, from, to } => {
                write!(formatter, "step {}: no edge leads from {from} to {to}", step + 1)
            }
            PathProblem::EndsEarly { last } => write!(formatter, "ends early, at {last}"),
        }
    }
}

impl std::error::Error for PathError {}

impl std::error::Error for PathProblem {}

/// Checks one path; O(steps · successors), plus the size of the graph for one that does not begin at the entry.
pub fn check_path(graph: &Digraph, path: &[Node], extent: Extent) -> Result<(), PathProblem> {
    let (Some(&first), Some(&last)) = (path.first(), path.last()) else { return Err(PathProblem::Empty) };
    let is_node = |node: Node| (node.as_u32() as usize) < graph.node_count();
    if let Some(step) = path.iter().position(|&node| !is_node(node)) {
        return Err(PathProblem::NoSuchNode { step, node: path[step] });
    }
    if extent == Extent::Whole && first != graph.entry() {
        return Err(PathProblem::NotFromEntry { first, entry: graph.entry() });
    }
    if first != graph.entry() && !DepthFirst::compute(graph, SuccessorOrder::Forward).is_reachable(first) {
        return Err(PathProblem::Unreachable { first });
    }
    for (step, edge) in (1..).zip(path.windows(2)) {
        if !graph.successors(edge[0]).contains(&edge[1]) {
            return Err(PathProblem::NoSuchEdge { step, from: edge[0], to: edge[1] });
        }
    }
    if extent == Extent::Whole && !graph.successors(last).is_empty() {
        return Err(PathProblem::EndsEarly { last });
    }
    Ok(())
}

/// Checks the paths of all threads; the first error.
pub fn check_paths(graph: &Digraph, paths: &[Vec<Node>], extent: Extent) -> Result<(), PathError> {
    paths
        .iter()
        .enumerate()
        .try_for_each(|(thread, path)| check_path(graph, path, extent).map_err(|problem| PathError { thread, problem }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cranelift_entity::EntityRef;

    #[test]
    fn what_is_wrong_is_said_where() {
        let node = Node::new;
        let graph = Digraph::from_edges(4, node(0), &[(0, 1), (1, 1), (1, 2)].map(|(a, b)| (node(a), node(b))));
        let problem = |path: &[usize], extent| {
            let path: Vec<Node> = path.iter().map(|&index| node(index)).collect();
            check_path(&graph, &path, extent).err().map(|problem| problem.to_string())
        };
        let whole = |path: &[usize]| problem(path, Extent::Whole);
        assert_eq!(whole(&[0, 1, 1, 2]), None);
        assert_eq!(whole(&[]).as_deref(), Some("the path is empty"));
        assert_eq!(whole(&[1, 2]).as_deref(), Some("begins at n1, not at the entry n0"));
        assert_eq!(whole(&[0, 1, 1]).as_deref(), Some("ends early, at n1"));
        assert_eq!(whole(&[0, 1, 9]).as_deref(), Some("step 3: n9 is not in the graph"));
        assert_eq!(whole(&[0, 1, 3]).as_deref(), Some("step 3: no edge leads from n1 to n3"));
        assert_eq!(problem(&[1, 1], Extent::Part), None);
        assert_eq!(problem(&[3], Extent::Part).as_deref(), Some("begins at n3, where no thread comes"));
        assert_eq!(problem(&[1, 0], Extent::Part).as_deref(), Some("step 2: no edge leads from n1 to n0"));
        let error = check_paths(&graph, &[vec![node(0), node(1), node(2)], vec![]], Extent::Whole);
        assert_eq!(error.map_err(|error| error.to_string()), Err("thread 2: the path is empty".to_owned()));
    }
}
