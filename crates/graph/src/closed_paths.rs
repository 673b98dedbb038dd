//! Closed paths.
//!
//! **Definition.** A *closed path* is a path whose first and last node are the same and whose inner nodes are distinct
//! and not that node; an edge from a node to itself is one. Two closed paths that differ only in where they start
//! are the same. Here a closed path is the list of its nodes, without repeating the first at the end; parallel edges do
//! not make two of it.
//!
//! **Algorithms.** All closed paths: Johnson, *Finding all the elementary circuits of a directed graph* (1975). One
//! through a given node: breadth-first search. One through two given nodes: that is the problem of two node-disjoint
//! paths with given ends, NP-complete in directed graphs (Fortune, Hopcroft, Wyllie, *The directed subgraph
//! homeomorphism problem*, 1980), so the search backtracks, prunes what cannot lead to a solution, and gives up on a
//! budget. Nothing recurses.

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, PrimaryMap};
use smallvec::SmallVec;

use crate::strongly_connected::{closure, strongly_connected_component};
use crate::{CycleForest, Digraph, Dominators, Node, SuccessorOrder};

/// All closed paths among the nodes that the entry reaches, each once.
///
/// There can be exponentially many. The time between two of them is O(nodes + edges) per node that was tried as a first
/// node in between, each of which is tried once.
///
/// ```
/// use cranelift_entity::EntityRef;
/// use reconverge_graph::{Digraph, Node, closed_paths};
///
/// let node = Node::new;
/// let edges = [(0, 1), (1, 1), (1, 2), (2, 1)].map(|(from, to)| (node(from), node(to)));
/// let graph = Digraph::from_edges(3, node(0), &edges);
/// let mut paths: Vec<_> = closed_paths(&graph).collect();
/// paths.sort();
/// assert_eq!(paths, [vec![node(1)], vec![node(1), node(2)]]);
/// ```
pub fn closed_paths(graph: &Digraph) -> impl Iterator<Item = Vec<Node>> {
    let forest = CycleForest::compute(graph, SuccessorOrder::Forward);
    let mut candidates: Vec<Node> = forest.top_level().flat_map(|cycle| forest.nodes(cycle)).copied().collect();
    candidates.reverse();
    let node_count = graph.node_count();
    let mut available = PrimaryMap::from(vec![false; node_count]);
    for &node in &candidates {
        available[node] = true;
    }
    ClosedPaths {
        graph,
        candidates,
        available,
        usable: PrimaryMap::from(vec![false; node_count]),
        blocked: PrimaryMap::from(vec![false; node_count]),
        unblocks: PrimaryMap::from(vec![SmallVec::new(); node_count]),
        path: Vec::new(),
    }
}

/// The state of Johnson's search. The path starts at a candidate; what it may use is the strongly connected
/// component of that candidate among the available nodes, so that each closed path is found from the first of its
/// nodes that is tried, and only from there.
struct ClosedPaths<'a> {
    graph: &'a Digraph,
    /// The nodes that were not tried yet as a first node, in reverse of the order to try them in.
    candidates: Vec<Node>,
    /// In a cycle, and not tried before the current first node.
    available: PrimaryMap<Node, bool>,
    /// In the component of the current first node.
    usable: PrimaryMap<Node, bool>,
    /// On the path, or known not to lead to the first node as long as the path is not shortened.
    blocked: PrimaryMap<Node, bool>,
    /// The nodes to unblock when this node gets unblocked.
    unblocks: PrimaryMap<Node, SmallVec<[Node; 4]>>,
    path: Vec<Step>,
}

struct Step {
    node: Node,
    /// The successors not tried yet, without duplicates.
    successors: SmallVec<[Node; 4]>,
    /// A closed path was found through this step.
    closes: bool,
}

impl ClosedPaths<'_> {
    fn start(&mut self, first: Node) {
        let component = strongly_connected_component(self.graph, first, |node| !self.available[node]);
        self.usable.values_mut().for_each(|usable| *usable = false);
        for node in component {
            self.usable[node] = true;
            self.blocked[node] = false;
            self.unblocks[node].clear();
        }
        self.push(first);
        self.available[first] = false;
    }

    fn push(&mut self, node: Node) {
        let mut successors: SmallVec<[Node; 4]> =
            self.graph.successors(node).iter().copied().filter(|&successor| self.usable[successor]).collect();
        successors.sort_unstable();
        successors.dedup();
        self.blocked[node] = true;
        self.path.push(Step { node, successors, closes: false });
    }

    fn unblock(&mut self, node: Node) {
        let mut stack = vec![node];
        while let Some(node) = stack.pop() {
            if std::mem::replace(&mut self.blocked[node], false) {
                stack.extend(self.unblocks[node].drain(..));
            }
        }
    }

    fn pop(&mut self) {
        let Some(Step { node, closes, .. }) = self.path.pop() else { return };
        if closes {
            self.unblock(node);
            if let Some(previous) = self.path.last_mut() {
                previous.closes = true;
            }
            return;
        }
        for &successor in self.graph.successors(node) {
            if self.usable[successor] && !self.unblocks[successor].contains(&node) {
                self.unblocks[successor].push(node);
            }
        }
    }
}

impl Iterator for ClosedPaths<'_> {
    type Item = Vec<Node>;

    fn next(&mut self) -> Option<Vec<Node>> {
        loop {
            let Some(first) = self.path.first().map(|step| step.node) else {
                let candidate = self.candidates.pop()?;
                self.start(candidate);
                continue;
            };
            let last = self.path.last_mut().expect("the path has a first step");
            match last.successors.pop() {
                Some(successor) if successor == first => {
                    last.closes = true;
                    return Some(self.path.iter().map(|step| step.node).collect());
                }
                Some(successor) if !self.blocked[successor] => self.push(successor),
                Some(_) => {}
                None => self.pop(),
            }
        }
    }
}

/// A shortest closed path that starts at `through` and passes no node that is `avoiding`; `through` itself is not asked
/// about. O(nodes + edges).
pub fn shortest_closed_path(graph: &Digraph, through: Node, avoiding: impl Fn(Node) -> bool) -> Option<Vec<Node>> {
    shortest_path(graph, through, through, |node| !avoiding(node))
}

/// A shortest path of at least one edge from `from` to `to`, whose inner nodes are `allowed`; without `to` at its end.
fn shortest_path(graph: &Digraph, from: Node, to: Node, allowed: impl Fn(Node) -> bool) -> Option<Vec<Node>> {
    let mut previous: PrimaryMap<Node, PackedOption<Node>> =
        PrimaryMap::from(vec![PackedOption::default(); graph.node_count()]);
    let mut queue = vec![from];
    let mut next = 0;
    while let Some(&node) = queue.get(next) {
        next += 1;
        for &successor in graph.successors(node) {
            if successor == to {
                let back = std::iter::successors(Some(node), |&node| previous[node].expand());
                let mut path: Vec<Node> = back.collect();
                path.reverse();
                return Some(path);
            }
            if successor != from && previous[successor].is_none() && allowed(successor) {
                previous[successor] = node.into();
                queue.push(successor);
            }
        }
    }
    None
}

/// What [`closed_path_through`] found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Search {
    /// There is such a closed path: this one.
    Found(Vec<Node>),
    /// There is no such closed path.
    None,
    /// The budget was spent before it was known.
    GaveUp,
}

/// A closed path that starts at `a`, passes through `b`, and passes no node that is `avoiding`; `a` and `b`
/// themselves are not asked about. With `a == b` this is [`shortest_closed_path`].
///
/// The inner nodes have to be distinct, so a path from `a` to `b` and one back do not make a closed path when they
/// must meet in between. In general the problem is NP-complete; `budget` bounds the number of steps, each of which
/// costs O(nodes + edges). A step extends the path from `a` by one node that can be completed to `b` and, apart from
/// that, from `b` to `a`. Where a shortest such completion and a way back avoid each other, as they do in nearly all
/// control flow, the first step finds the answer; where a node lies on all ways there and on all ways back, the
/// answer is no before the first step.
pub fn closed_path_through(
    graph: &Digraph,
    a: Node,
    b: Node,
    avoiding: impl Fn(Node) -> bool,
    budget: usize,
) -> Search {
    if a == b {
        return shortest_closed_path(graph, a, avoiding).map_or(Search::None, Search::Found);
    }
    // Whatever is on a closed path with `a` is in its component.
    let component = strongly_connected_component(graph, a, |node| node != b && avoiding(node));
    if component.binary_search(&b).is_err() {
        return Search::None;
    }
    if component.len() > 2 && meet_necessarily(graph, &component, a, b) {
        return Search::None;
    }
    let mut search = ThroughTwo { graph, a, b, free: PrimaryMap::from(vec![false; graph.node_count()]) };
    for &node in &component {
        search.free[node] = node != a && node != b;
    }
    search.run(budget)
}

/// Whether some third node is on every path from `a` to `b` and on every path from `b` to `a` inside `component`.
fn meet_necessarily(graph: &Digraph, component: &[Node], a: Node, b: Node) -> bool {
    let between = |from: Node, to: Node| {
        // The component is a graph of its own; a node's index there is its position.
        let local = |node: Node| component.binary_search(&node).map(Node::new);
        let mut starts = vec![0];
        let mut targets = Vec::new();
        for &node in component {
            targets.extend(graph.successors(node).iter().filter_map(|&successor| local(successor).ok()));
            starts.push(targets.len() as u32);
        }
        let entry = local(from).expect("the ends are in the component");
        let dominators = Dominators::compute(&Digraph::from_rows(entry, starts, targets));
        let end = local(to).expect("the ends are in the component");
        let mut between: Vec<Node> = std::iter::successors(Some(end), |&node| dominators.immediate_dominator(node))
            .filter(|&node| node != entry && node != end)
            .collect();
        between.sort_unstable();
        between
    };
    let there = between(a, b);
    !there.is_empty() && between(b, a).iter().any(|node| there.binary_search(node).is_ok())
}

/// The state of the search for a closed path through two nodes.
struct ThroughTwo<'a> {
    graph: &'a Digraph,
    a: Node,
    b: Node,
    /// The nodes that may be used and are not on the path from `a`; without `a` and `b`.
    free: PrimaryMap<Node, bool>,
}

/// What is known once the path from `a` has a given last node.
enum Outlook {
    /// This completes it to a closed path.
    Complete(Vec<Node>),
    /// No completion.
    Dead,
    /// The successors to try, the most promising last.
    Open(SmallVec<[Node; 4]>),
}

impl ThroughTwo<'_> {
    fn run(&mut self, budget: usize) -> Search {
        let mut path = vec![self.a];
        let mut open: Vec<SmallVec<[Node; 4]>> = Vec::new();
        let mut steps = 0;
        loop {
            if steps == budget {
                return Search::GaveUp;
            }
            steps += 1;
            let last = *path.last().expect("the path starts at a");
            match self.outlook(last) {
                Outlook::Complete(completion) => {
                    path.pop();
                    path.extend(completion);
                    return Search::Found(path);
                }
                Outlook::Dead => open.push(SmallVec::new()),
                Outlook::Open(successors) => open.push(successors),
            }
            // Back to the last node with something left to try.
            loop {
                let Some(successors) = open.last_mut() else { return Search::None };
                if let Some(successor) = successors.pop() {
                    self.free[successor] = false;
                    path.push(successor);
                    break;
                }
                open.pop();
                let last = path.pop().expect("a node per list of successors");
                self.free[last] = last != self.a;
            }
        }
    }

    fn outlook(&self, last: Node) -> Outlook {
        let ThroughTwo { graph, a, b, ref free } = *self;
        let Some(there) = shortest_path(graph, last, b, |node| free[node]) else { return Outlook::Dead };
        let mut still_free = free.clone();
        for &node in &there {
            still_free[node] = false;
        }
        if let Some(back) = shortest_path(graph, b, a, |node| still_free[node]) {
            return Outlook::Complete([there, back].concat());
        }
        if shortest_path(graph, b, a, |node| free[node]).is_none() {
            return Outlook::Dead;
        }
        // A direct edge to `b` was `there`, so it leads nowhere. The other successors must lead to `b`.
        let leads = closure(graph.node_count(), b, |node| graph.predecessors(node), |node| free[node]);
        let mut successors: SmallVec<[Node; 4]> =
            graph.successors(last).iter().copied().filter(|&successor| free[successor] && leads[successor]).collect();
        successors.sort_unstable();
        successors.dedup();
        if let Some(promising) = successors.iter().position(|successor| there.get(1) == Some(successor)) {
            let end = successors.len() - 1;
            successors.swap(promising, end);
        }
        Outlook::Open(successors)
    }
}
