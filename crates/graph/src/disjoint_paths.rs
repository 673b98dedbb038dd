//! Two paths that share only their ends.
//!
//! **Algorithm.** Menger's theorem by augmentation: find a shortest path, then a shortest path in the graph where
//! the first one can only be walked backwards, every inner node being two (where it is entered and where it is left), and
//! cancel what both walk in opposite directions.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{Digraph, Node};

/// Two paths from one node to another that share nothing but these; as lists of nodes, ends included. Nothing when there
/// are none. Parallel edges count as one. Such paths start with different edges, so at most one of them is a single
/// edge. O(nodes + edges).
///
/// When the ends are the same node, it is closed paths that are found.
///
/// ```
/// use cranelift_entity::EntityRef;
/// use reconverge_graph::{Digraph, Node, two_disjoint_paths};
///
/// let node = Node::new;
/// let edges = [(0, 1), (0, 2), (1, 3), (2, 3), (3, 4)].map(|(from, to)| (node(from), node(to)));
/// let graph = Digraph::from_edges(5, node(0), &edges);
/// let found = two_disjoint_paths(&graph, node(0), node(3));
/// assert_eq!(found, Some([vec![node(0), node(1), node(3)], vec![node(0), node(2), node(3)]]));
/// assert_eq!(two_disjoint_paths(&graph, node(0), node(4)), None);
/// ```
pub fn two_disjoint_paths(graph: &Digraph, from: Node, to: Node) -> Option<[Vec<Node>; 2]> {
    let mut next: FxHashMap<Node, Node> = FxHashMap::default();
    let mut starts: Vec<Node> = Vec::new();
    for _ in 0..2 {
        augment(graph, from, to, &mut starts, &mut next)?;
    }
    let walk = |&start: &Node| {
        let mut path = vec![from];
        let mut node = start;
        while node != to {
            path.push(node);
            node = next[&node];
        }
        path.push(to);
        path
    };
    starts.sort_unstable();
    Some([walk(starts.first()?), walk(starts.get(1)?)])
}

/// Where a search stands: before a node, or behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum At {
    Before(Node),
    Behind(Node),
}

/// Adds one path to those that `starts` (the successors of `from`) and `next` (for inner nodes) describe.
fn augment(
    graph: &Digraph,
    from: Node,
    to: Node,
    starts: &mut Vec<Node>,
    next: &mut FxHashMap<Node, Node>,
) -> Option<()> {
    let previous: FxHashMap<Node, Node> = (next.iter().map(|(&node, &after)| (after, node)))
        .filter(|&(after, _)| after != to)
        .chain(starts.iter().filter(|&&start| start != to).map(|&start| (start, from)))
        .collect();
    let mut came: FxHashMap<At, Option<At>> = FxHashMap::default();
    let mut queue = VecDeque::new();
    let mut arrived = None;
    let mut first: FxHashSet<Node> = starts.iter().copied().collect();
    for &start in graph.successors(from) {
        if start == from && from != to || !first.insert(start) {
            continue;
        }
        if start == to {
            starts.push(to);
            return Some(());
        }
        if came.insert(At::Before(start), None).is_none() {
            queue.push_back(At::Before(start));
        }
    }
    'search: while let Some(at) = queue.pop_front() {
        let mut visit = |next_at: At| {
            came.entry(next_at).or_insert_with(|| {
                queue.push_back(next_at);
                Some(at)
            });
        };
        match at {
            At::Before(node) => match previous.get(&node) {
                // On a path: only backwards along it. Back at `from` there is nothing new.
                Some(&before) if before != from => visit(At::Behind(before)),
                Some(_) => {}
                None => visit(At::Behind(node)),
            },
            At::Behind(node) => {
                if next.contains_key(&node) {
                    visit(At::Before(node));
                }
                for &after in graph.successors(node) {
                    if after == to && next.get(&node) != Some(&to) {
                        arrived = Some(node);
                        break 'search;
                    }
                    if after != from && after != to && next.get(&node) != Some(&after) {
                        visit(At::Before(after));
                    }
                }
            }
        }
    }
    // Walk back, exchanging what was walked against the paths.
    let mut at = At::Behind(arrived?);
    let mut steps: Vec<(Option<Node>, Node)> = vec![(arrived, to)];
    let mut cancelled: Vec<Node> = Vec::new();
    loop {
        let before = came[&at];
        match (before, at) {
            (None, At::Before(node)) => {
                steps.push((None, node));
                break;
            }
            (Some(At::Behind(before)), At::Before(node)) if before != node => steps.push((Some(before), node)),
            (Some(At::Before(after)), At::Behind(node)) if after != node => cancelled.push(node),
            _ => {}
        }
        at = before?;
    }
    for node in cancelled {
        next.remove(&node);
    }
    for (before, after) in steps.into_iter().rev() {
        match before {
            None => starts.push(after),
            Some(before) => {
                next.insert(before, after);
            }
        }
    }
    Some(())
}
