//! The joins of a branch, in a graph without cycles.
//!
//! **Definition.** `J` is a *join* of `B` when two paths lead from `B` to `J` that share only their ends. In the part of
//! the graph that `B` reaches, that is: `J` has two predecessors there and no node but `B` dominates it.
//!
//! **Algorithm.** Threads part with different *labels*: those that arrive at a child of `B` in the dominator tree have
//! that one's. A label stands for a node that dominates all that carries it, so what a node dominates is skipped in one
//! step: whoever leaves it arrives in its dominance frontier. Nodes of the frontiers are taken in topological order. One
//! that is reached with two labels is a join, and the label of what comes after it; one that is reached with one
//! label passes it on. When one label is left, there are no more joins. (The children of `B` that have two
//! predecessors are joins, too.)
//!
//! So a branch costs its joins and the frontiers between, however large its region of influence is. Within a level
//! that is almost linear over all branches, unless the frontiers add up to more, which takes many merges that are far
//! from what dominates them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use cranelift_entity::EntityRef;
use reconverge_graph::{Digraph, Dominators, Node};
use rustc_hash::FxHashMap;

use super::levels::Levels;

/// Dominance frontiers: `frontier(v)` are the nodes that `v` does not strictly dominate and that have a
/// predecessor that it dominates.
#[derive(Debug, Default)]
pub(super) struct Frontiers {
    starts: Vec<u32>,
    nodes: Vec<Node>,
}

impl Frontiers {
    /// O(nodes + edges + what is returned).
    pub(super) fn new(graph: &Digraph, dominators: &Dominators) -> Frontiers {
        let mut pairs: Vec<(Node, Node)> = Vec::new();
        let mut last = vec![None; graph.node_count()];
        for merge in graph.nodes().filter(|&node| graph.predecessors(node).len() > 1) {
            let top = dominators.immediate_dominator(merge);
            for &predecessor in graph.predecessors(merge) {
                let mut runner = Some(predecessor);
                while let Some(node) = runner.filter(|_| runner != top) {
                    // All above have it, too.
                    if last[node.index()].replace(merge) == Some(merge) {
                        break;
                    }
                    pairs.push((node, merge));
                    runner = dominators.immediate_dominator(node);
                }
            }
        }
        let mut starts = vec![0; graph.node_count() + 1];
        for (node, _) in &pairs {
            starts[node.index() + 1] += 1;
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut next = starts.clone();
        let mut nodes = vec![graph.entry(); pairs.len()];
        for (node, merge) in pairs {
            let place = &mut next[node.index()];
            nodes[*place as usize] = merge;
            *place += 1;
        }
        Frontiers { starts, nodes }
    }

    pub(super) fn of(&self, node: Node) -> &[Node] {
        &self.nodes[self.starts[node.index()] as usize..self.starts[node.index() + 1] as usize]
    }
}

/// A node, and the label of everything that it dominates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Labelled {
    pub(super) node: Node,
    pub(super) label: Label,
}

/// What threads that part are told apart by: mostly a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Label(u32);

impl Label {
    /// Of what a node dominates.
    pub(super) fn of(node: Node) -> Label {
        Label(node.index() as u32)
    }

    /// Of an edge from the branch to a node that others lead to as well.
    fn edge_to(levels: &Levels, node: Node) -> Label {
        Label((levels.graph.node_count() + node.index()) as u32)
    }
}

/// What a node was reached with.
#[derive(Debug, Clone, Copy)]
enum Reached {
    One(Label),
    Two([Label; 2]),
}

/// A node where threads with different labels meet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Join {
    pub(super) node: Node,
    /// Two of the labels.
    pub(super) labels: [Label; 2],
}

/// Finds joins within a level; reusable.
#[derive(Debug, Default)]
pub(super) struct Joins {
    /// The nodes that were reached and not yet looked at, first ones first.
    queue: BinaryHeap<Reverse<(u32, Node)>>,
    reached: FxHashMap<Node, Reached>,
    /// How many nodes of the queue were reached with exactly this label.
    alive: FxHashMap<Label, u32>,
    /// The joins, in topological order but for the children of the branch, which come first.
    pub(super) joins: Vec<Join>,
    /// Nodes that were passed, with the labels of what they dominate.
    pub(super) passed: Vec<Labelled>,
    /// The label of everything that is reached and that none of `passed` dominates, if there is anything.
    pub(super) rest: Option<Label>,
}

impl Joins {
    /// Finds the joins of a branch.
    pub(super) fn of_branch(&mut self, levels: &Levels, branch: Node) {
        self.clear();
        let beyond = |node: Node| levels.dominators.immediate_dominator(node) != Some(branch);
        for child in levels.dominators.children(branch) {
            let label = Label::of(child);
            if levels.is_merge(child) {
                self.joins.push(Join { node: child, labels: [label; 2] });
            }
            self.passed.push(Labelled { node: child, label });
            for &node in levels.frontiers.of(child).iter().filter(|&&node| beyond(node)) {
                self.reach(levels, node, label);
            }
        }
        for &node in levels.graph.successors(branch).iter().filter(|&&node| beyond(node)) {
            self.reach(levels, node, Label::edge_to(levels, node));
        }
        self.run(levels);
    }

    /// Finds the joins of threads that are at different nodes, none of which dominates another.
    pub(super) fn of_parted(&mut self, levels: &Levels, parted: impl Iterator<Item = Labelled>) {
        self.clear();
        for Labelled { node, label } in parted {
            self.passed.push(Labelled { node, label });
            for &next in levels.frontiers.of(node) {
                self.reach(levels, next, label);
            }
        }
        self.run(levels);
    }

    fn clear(&mut self) {
        self.queue.clear();
        self.reached.clear();
        self.alive.clear();
        self.joins.clear();
        self.passed.clear();
        self.rest = None;
    }

    fn run(&mut self, levels: &Levels) {
        while let Some(Reverse((_, node))) = self.queue.pop() {
            let label = match self.reached.remove(&node) {
                Some(Reached::Two(labels)) => {
                    self.joins.push(Join { node, labels });
                    Label::of(node)
                }
                Some(Reached::One(label)) => {
                    self.release(label);
                    label
                }
                None => continue,
            };
            self.passed.push(Labelled { node, label });
            let alone =
                self.queue.is_empty() || self.alive.get(&label).is_some_and(|&n| n as usize == self.queue.len());
            if alone {
                self.rest = Some(label);
                return;
            }
            for &next in levels.frontiers.of(node) {
                self.reach(levels, next, label);
            }
        }
    }

    fn reach(&mut self, levels: &Levels, node: Node, label: Label) {
        match self.reached.get_mut(&node) {
            None => {
                self.reached.insert(node, Reached::One(label));
                *self.alive.entry(label).or_default() += 1;
                self.queue.push(Reverse((levels.order[node.index()], node)));
            }
            Some(reached) => {
                if let Reached::One(other) = *reached
                    && other != label
                {
                    *reached = Reached::Two([other, label]);
                    self.release(other);
                }
            }
        }
    }

    fn release(&mut self, label: Label) {
        if let Some(count) = self.alive.get_mut(&label) {
            *count -= 1;
        }
    }
}
