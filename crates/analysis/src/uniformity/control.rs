//! Whether all threads come to a node together, or some of them never do.
//!
//! **Definition.** Threads that enter a function together *are parted before* a node `N` when two of them can take
//! consistent paths such that one executes an instance of `N` that the other executes no converged instance of, although it does
//! not stop either: control at `N` is *divergent*. In the levels of the graph (see `levels`), one of these holds:
//!
//! - in the level of `N` there is a divergent branch, or a cycle with a divergent exit, from which a path leads to `N`
//!   before it comes to where all threads that part there are together again, its immediate post-dominator;
//! - a cycle that contains `N` has a divergent exit: who stays comes to `N` once more than who leaves;
//! - the first holds for a cycle that contains `N`, as a node of the level around it.
//!
//! Paths to where the program says that control never comes (`unreachable`, the end of a failed assertion) do not count, nor do exits to there.

use std::collections::VecDeque;

use cranelift_entity::EntityRef;
use reconverge_graph::{Cycle, CycleForest, DepthFirst, Digraph, Node, PostDominators, SuccessorOrder};
use rustc_hash::{FxHashMap, FxHashSet};

use super::cycles::Cycles;
use super::levels::{Levels, Role};
use super::{DivergentExit, Problem, Uniformity};

/// So many branches and exits are named of those that part threads before a node.
pub const MOST_PARTING: usize = 8;

/// Answers for one function and one set of threads.
#[derive(Debug)]
pub struct Control<'p> {
    uniformity: &'p Uniformity,
    cycles: Cycles,
    levels: Levels,
    post_dominators: PostDominators,
    /// The cycles that have divergent exits, as indices.
    divergent_exits: FxHashMap<Cycle, Vec<usize>>,
}

/// What parts threads before a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parted {
    /// A divergent branch past the node.
    Branch(Node),
    /// A divergent exit of a cycle around the node, or of one before it, and the divergent branch that makes it so.
    Exit(DivergentExit, Node),
}

impl<'p> Control<'p> {
    /// Prepares for a function; `stops` says where control never comes to the end of a node. Almost linear.
    pub fn new(problem: &'p Problem, uniformity: &'p Uniformity, stops: impl Fn(Node) -> bool) -> Control<'p> {
        let search = DepthFirst::compute(&problem.graph, SuccessorOrder::Forward);
        let forest = CycleForest::from_depth_first(&problem.graph, &search);
        let cycles = Cycles::new(&problem.graph, &search, forest, &problem.regions);
        let levels = Levels::new(&problem.graph, &search, &cycles);
        let goes_on = going_on(&problem.graph, &cycles, &stops);
        let mut divergent_exits = FxHashMap::default();
        for cycle in cycles.forest.cycles.keys() {
            let header = cycles.forest.cycles[cycle].header;
            let exits = levels.exits_of(cycle).iter().map(|&exit| levels.exits[exit as usize].edge);
            let is_given_up = levels.given_up.contains_key(&header);
            let found: Vec<usize> = exits
                .filter(|edge| goes_on[edge.1.index()])
                .filter_map(|edge| {
                    let known = uniformity.divergent_exits.iter();
                    known.clone().position(|exit| exit.edge == edge && (exit.header == header || is_given_up))
                })
                .take(MOST_PARTING)
                .collect();
            if !found.is_empty() {
                divergent_exits.insert(cycle, found);
            }
        }
        // Only nodes from which a level can come to an end.
        let graph = &levels.graph;
        let mut ends: FxHashSet<Node> = FxHashSet::default();
        let is_end = |&node: &Node| {
            graph.successors(node).is_empty()
                && match levels.role(node) {
                    Role::Block(block) => !stops(block),
                    Role::Out(exit) => goes_on[levels.exits[exit].edge.1.index()],
                    _ => true,
                }
        };
        let mut stack: Vec<Node> = graph.nodes().filter(is_end).collect();
        while let Some(node) = stack.pop() {
            if ends.insert(node) {
                stack.extend_from_slice(graph.predecessors(node));
            }
        }
        let edges: Vec<(Node, Node)> = (graph.nodes())
            .flat_map(|from| graph.successors(from).iter().map(move |&to| (from, to)))
            .filter(|(from, to)| ends.contains(from) && ends.contains(to))
            .collect();
        let ending = Digraph::from_edges(graph.node_count(), graph.entry(), &edges);
        let post_dominators = PostDominators::compute(&ending);
        Control { uniformity, cycles, levels, post_dominators, divergent_exits }
    }

    /// What parts threads before a node: the closest branches and exits first, so many that more would say nothing to a reader.
    /// O(levels · (nodes + edges)).
    pub fn parting(&self, node: Node) -> Vec<Parted> {
        let mut found = Vec::new();
        let mut at = node;
        let mut level = self.cycles.innermost(node);
        if let Some(&cycle) = self.levels.given_up.get(&node) {
            let branches = self.cycles.forest.nodes(cycle).iter().filter(|node| self.is_divergent(**node));
            found.extend(branches.map(|&branch| Parted::Branch(branch)).take(MOST_PARTING));
            at = self.levels.whole(cycle);
            level = self.cycles.around(cycle);
        }
        while found.len() < MOST_PARTING {
            self.parted_in_level(at, &mut found);
            let Some(cycle) = level else { break };
            let exits = self.divergent_exits.get(&cycle).into_iter().flatten();
            found.extend(exits.map(|&exit| self.exit(exit)));
            at = self.levels.whole(cycle);
            level = self.cycles.around(cycle);
        }
        found.truncate(MOST_PARTING);
        found
    }

    fn is_divergent(&self, node: Node) -> bool {
        self.uniformity.branches[node.index()].is_some()
    }

    fn exit(&self, index: usize) -> Parted {
        Parted::Exit(self.uniformity.divergent_exits[index], self.uniformity.exit_branches[index])
    }

    fn parted_in_level(&self, node: Node, found: &mut Vec<Parted>) {
        if !self.post_dominators.is_reachable(node) {
            return;
        }
        let mut seen = FxHashSet::from_iter([node]);
        let mut queue = VecDeque::from([node]);
        while let Some(at) = queue.pop_front() {
            for &before in self.levels.graph.predecessors(at) {
                if !seen.insert(before) {
                    continue;
                }
                queue.push_back(before);
                let parted: Vec<Parted> = match self.levels.role(before) {
                    Role::Block(block) if self.is_divergent(block) => vec![Parted::Branch(block)],
                    Role::Whole(cycle) => {
                        let exits = self.divergent_exits.get(&cycle).into_iter().flatten();
                        exits.map(|&exit| self.exit(exit)).collect()
                    }
                    _ => continue,
                };
                if !parted.is_empty() && self.is_between(before, node) {
                    found.extend(parted);
                    if found.len() >= MOST_PARTING {
                        return;
                    }
                }
            }
        }
    }

    /// Whether a path leads from `from` to `node` before all threads that diverge at `from` are together again.
    fn is_between(&self, from: Node, node: Node) -> bool {
        if self.post_dominators.post_dominates(node, from) {
            return false;
        }
        let together = self.post_dominators.immediate_post_dominator(from);
        let mut seen = FxHashSet::default();
        let mut stack = vec![node];
        while let Some(at) = stack.pop() {
            if at == from {
                return true;
            }
            if Some(at) != together && seen.insert(at) {
                stack.extend_from_slice(self.levels.graph.predecessors(at));
            }
        }
        false
    }
}

/// By node: whether a path from it comes to an end, or into a cycle, and not only to where control stops.
fn going_on(graph: &Digraph, cycles: &Cycles, stops: &impl Fn(Node) -> bool) -> Vec<bool> {
    let mut goes_on = vec![false; graph.node_count()];
    let is_last = |&node: &Node| graph.successors(node).is_empty() && !stops(node) || cycles.innermost(node).is_some();
    let mut stack: Vec<Node> = graph.nodes().filter(is_last).collect();
    while let Some(node) = stack.pop() {
        if !std::mem::replace(&mut goes_on[node.index()], true) {
            stack.extend_from_slice(graph.predecessors(node));
        }
    }
    goes_on
}
