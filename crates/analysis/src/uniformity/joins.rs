//! The joins of a branch, in a graph without cycles.
//!
//! **Definition.** `J` is a *join* of `B` when two paths lead from `B` to `J` that share only their ends. In the part of
//! the graph that `B` reaches, that is: `J` has two predecessors there and no node but `B` dominates it.
//!
//! **Algorithm.** Where `B` dominates `J`, this can be read off the dominator tree of the whole graph: `J` is a child of
//! `B` with two predecessors. To find the others, follow dominance frontiers: a path out of what `B` dominates first
//! arrives in the frontier of a child of `B` (or of `B` itself, over an edge), and what it arrives over is its *label*.
//! Nodes are taken in topological order. One that is reached with two labels is a join and the label of what comes
//! after it; one that is reached with one label passes it on, to its own frontier. When one label is left, there are
//! no more joins.
//!
//! So what a node dominates is skipped in one step, and a branch costs its joins and the frontiers between, however
//! large its region of influence is. Over all branches of a function this is almost linear unless the frontiers
//! add up to more than that, which takes many merges that are far from what dominates them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use cranelift_entity::EntityRef;
use reconverge_graph::{Digraph, Dominators, Node};
use rustc_hash::FxHashMap;

use super::acyclic::Acyclic;

/// Dominance frontiers: `frontier(v)` are the nodes that `v` does not strictly dominate and that have a
/// predecessor that it dominates.
#[derive(Debug)]
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

/// What a node was reached with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Labels {
    One(u32),
    Several,
}

/// Finds joins; reusable.
#[derive(Debug, Default)]
pub(super) struct Joins {
    /// The nodes that were reached and not yet looked at, first ones first.
    queue: BinaryHeap<Reverse<(u32, Node)>>,
    labels: FxHashMap<Node, Labels>,
    /// How many nodes of the queue were reached with exactly this label.
    alive: FxHashMap<u32, u32>,
}

impl Joins {
    /// Calls `found` with each join of `branch`, and whether `branch` dominates it.
    pub(super) fn of(
        &mut self,
        acyclic: &Acyclic,
        frontiers: &Frontiers,
        branch: Node,
        mut found: impl FnMut(Node, bool),
    ) {
        let dominators = &acyclic.dominators;
        let beyond = |node: Node| dominators.immediate_dominator(node) != Some(branch);
        self.queue.clear();
        self.labels.clear();
        self.alive.clear();
        for child in dominators.children(branch) {
            if acyclic.is_merge(child) {
                found(child, true);
            }
            for &node in frontiers.of(child).iter().filter(|&&node| beyond(node)) {
                self.reach(acyclic, node, child.index() as u32);
            }
        }
        for &node in acyclic.graph.successors(branch).iter().filter(|&&node| beyond(node)) {
            // The edge is a label of its own.
            self.reach(acyclic, node, (acyclic.graph.node_count() + node.index()) as u32);
        }
        while let Some(Reverse((_, node))) = self.queue.pop() {
            let label = match self.labels.remove(&node) {
                Some(Labels::One(label)) => {
                    self.release(label);
                    if self.queue.is_empty() || self.alive.get(&label).is_some_and(|&n| n as usize == self.queue.len())
                    {
                        return;
                    }
                    label
                }
                _ => {
                    found(node, false);
                    if self.queue.is_empty() {
                        return;
                    }
                    node.index() as u32
                }
            };
            for &next in frontiers.of(node) {
                self.reach(acyclic, next, label);
            }
        }
    }

    fn reach(&mut self, acyclic: &Acyclic, node: Node, label: u32) {
        match self.labels.get_mut(&node) {
            None => {
                self.labels.insert(node, Labels::One(label));
                *self.alive.entry(label).or_default() += 1;
                self.queue.push(Reverse((acyclic.order[node.index()], node)));
            }
            Some(labels) => {
                if let Labels::One(other) = *labels
                    && other != label
                {
                    *labels = Labels::Several;
                    self.release(other);
                }
            }
        }
    }

    fn release(&mut self, label: u32) {
        if let Some(count) = self.alive.get_mut(&label) {
            *count -= 1;
        }
    }
}
