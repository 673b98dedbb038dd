//! By what the convergence of a node is decided: the nest of contexts of a body.
//!
//! **Definition.** An *interval* is a range of nodes that can be executed several times, or for which the implementation decides:
//!
//! - a loop: what is executed in each iteration (not the first part of a `for`); *reducible* or not;
//! - a goto cycle: the span of a backward `goto`, from its label to the `goto`, both included, in the order of tokens;
//! - a `noconvergent` statement (2025-04 only).
//!
//! A node `B` with parent `P` is the *base* of a context when an interval that contains it begins after `P`, so that `P` is outside of it. If the only such interval is
//! `P` itself, a reducible loop, then that is an *iteration* context, whose bases are the parts of `P` that are repeated. Otherwise it is a *choice* context: whether two executions
//! of `B` are converged is implementation-defined. The *body* is the context of everything else. For a node `X`, let `low(X)` be the latest begin of an interval that contains it;
//! its context is that of
//!
//! - 2025-04 (and the union of tangles): the outermost `S` among `X` and its ancestors with `low(X) ≤ S`, that is, with "every cycle that contains `X` also contains `S`" ("Sequential
//!   Execution"): `S` is a base or the body. So what stands behind the last jump back out of a statement is decided by a context further out than that statement is.
//! - 2025-08: the innermost base among `X` and its ancestors ("Statements": an inner tangle is derived from that of the immediately enclosing statement).
//!
//! **Invariants.** In one execution of a context, each node that it is the context of is executed at most once by a thread, but for the bases of choice contexts right inside it: a way
//! back over a node is a backward `goto` or a next iteration, so its interval contains the node, and begins after the base. A thread that has left a context for a node that
//! is lexically still inside its base does not come back to it without another execution of it.
//!
//! **Algorithm.** Nodes from last to first, with the begins of the intervals that end at the node or behind it in an ordered set: `low` is a predecessor query. Then nodes from first to last with the
//! stack of ancestors, in which the base is found by bisection. O((nodes + intervals) · log).

use std::collections::BTreeSet;

use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap, entity_impl};

use super::flow::iteration_start;
use crate::outline::{Node, NodeKind, Outline};

/// A context.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Context(u32);
entity_impl!(Context, "context");

/// What a context is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ContextKind {
    /// The body of the function: one execution for each call.
    Body,
    /// An iteration of this reducible loop.
    Iteration(Node),
    /// An execution of this statement or full expression; the implementation chooses who is converged at it.
    Choice(Node),
}

/// A context in its nest.
#[derive(Debug, Clone)]
pub struct ContextData {
    /// What it is.
    pub kind: ContextKind,
    /// The context in whose executions its executions are; none for the body.
    pub outer: Option<Context>,
    /// How many contexts it is in: 0 for the body.
    pub depth: u32,
    /// Whether it is a choice context or in one.
    pub is_chosen: bool,
}

/// How the context of a node is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Derivation {
    /// By the outermost statement that every cycle around the node contains.
    Sequential,
    /// By the immediately enclosing statement.
    Enclosing,
}

/// The nest of contexts of a body.
#[derive(Debug, Clone)]
pub struct Contexts {
    /// The contexts; outer ones first. Context 0 is the body.
    pub contexts: PrimaryMap<Context, ContextData>,
    /// By node: its context; of the base of a choice context that context itself.
    pub of: SecondaryMap<Node, Context>,
    /// By loop: the context of its iterations, if it is reducible.
    pub iterations: SecondaryMap<Node, Option<Context>>,
}

/// A range of nodes, the last one included.
#[derive(Debug, Clone, Copy)]
struct Interval {
    first: Node,
    last: Node,
    /// Whether it is a reducible loop.
    is_defined: bool,
}

impl Contexts {
    /// The nest of a body. `is_noconvergent` says whether `noconvergent` statements count.
    pub fn new(
        outline: &Outline,
        is_reducible: impl Fn(Node) -> bool,
        derivation: Derivation,
        is_noconvergent: bool,
    ) -> Contexts {
        let intervals = intervals(outline, &is_reducible, is_noconvergent);
        let around = Around::of_all(outline, &is_reducible, intervals);
        let mut nest = Contexts {
            contexts: PrimaryMap::new(),
            of: SecondaryMap::with_capacity(outline.nodes.len()),
            iterations: SecondaryMap::new(),
        };
        let body = nest.contexts.push(ContextData { kind: ContextKind::Body, outer: None, depth: 0, is_chosen: false });
        let mut ancestors: Vec<Node> = Vec::new();
        for (node, data) in &outline.nodes {
            while ancestors.last().is_some_and(|&last| last != data.parent.unwrap_or(last)) {
                ancestors.pop();
            }
            let around = around[node];
            let outermost = |low: Option<Node>, nest: &Contexts| {
                let base = low.and_then(|low| ancestors.get(ancestors.partition_point(|&ancestor| ancestor < low)));
                base.map_or(body, |&base| nest.of[base])
            };
            let outside = match (derivation, data.parent) {
                (_, None) => body,
                (Derivation::Sequential, Some(_)) => outermost(around.low_outside_parent, &nest),
                (Derivation::Enclosing, Some(parent)) => nest.of[parent],
            };
            nest.of[node] = match data.parent {
                None => body,
                Some(parent) if around.is_repeated => {
                    let iteration = nest.iteration(parent);
                    if around.is_chosen { nest.push(ContextKind::Choice(node), iteration) } else { iteration }
                }
                Some(_) if around.is_chosen => nest.push(ContextKind::Choice(node), outside),
                // No interval begins between the parent and the node, so `low` is the same with and without those.
                Some(_) => outside,
            };
            ancestors.push(node);
        }
        nest
    }

    /// The outermost context of which the step from one node to another begins an execution although it may have been in one: the iterations of a loop, or what the
    /// node is the base of. A `goto` to the body of a loop from inside of it begins no iteration.
    pub fn restarted(&self, outline: &Outline, from: Option<Node>, to: Node) -> Option<Context> {
        let is_jump = from.is_some_and(|from| matches!(outline.nodes[from].kind, NodeKind::Goto(_)));
        let iterated = outline.nodes[to].parent.filter(|&parent| !is_jump && iteration_start(outline, parent) == Some(to));
        let is_base = self.contexts[self.of[to]].kind == ContextKind::Choice(to);
        iterated.and_then(|parent| self.iterations[parent]).or(is_base.then_some(self.of[to]))
    }

    /// Whether the implementation decides who is converged at a node: its context is a choice or in one.
    pub fn is_chosen(&self, node: Node) -> bool {
        self.contexts[self.of[node]].is_chosen
    }

    /// The context of the iterations of a reducible loop, made if need be.
    fn iteration(&mut self, repeats: Node) -> Context {
        match self.iterations[repeats] {
            Some(iteration) => iteration,
            None => {
                let iteration = self.push(ContextKind::Iteration(repeats), self.of[repeats]);
                self.iterations[repeats] = Some(iteration);
                iteration
            }
        }
    }

    fn push(&mut self, kind: ContextKind, outer: Context) -> Context {
        let ContextData { depth, is_chosen, .. } = self.contexts[outer];
        let is_chosen = is_chosen || matches!(kind, ContextKind::Choice(_));
        self.contexts.push(ContextData { kind, outer: Some(outer), depth: depth + 1, is_chosen })
    }
}

/// What the intervals around a node say.
#[derive(Debug, Clone, Copy, Default)]
struct Around {
    /// The latest begin, not after the node's parent, of an interval that contains both.
    low_outside_parent: Option<Node>,
    /// Whether its parent is a reducible loop that repeats it.
    is_repeated: bool,
    /// Whether another interval that contains it begins after its parent.
    is_chosen: bool,
}

impl Around {
    fn of_all(
        outline: &Outline,
        is_reducible: &impl Fn(Node) -> bool,
        mut intervals: Vec<Interval>,
    ) -> SecondaryMap<Node, Around> {
        intervals.sort_unstable_by_key(|interval| interval.last);
        // Those that end at the node or behind it, by their begins: all, and those for which the implementation decides.
        let (mut begins, mut chosen) = (BTreeSet::new(), BTreeSet::new());
        let mut around = SecondaryMap::with_capacity(outline.nodes.len());
        for (node, data) in outline.nodes.iter().rev() {
            while let Some(interval) = intervals.pop_if(|interval| interval.last >= node) {
                begins.insert(interval.first);
                if !interval.is_defined {
                    chosen.insert(interval.first);
                }
            }
            let Some(parent) = data.parent else { continue };
            let after_parent = Node::new(parent.index() + 1);
            let is_chosen = chosen.range(after_parent..=node).next_back().is_some();
            let is_repeated = repeated_begin(outline, parent).is_some_and(|begin| begin <= node) && is_reducible(parent);
            around[node] =
                Around { low_outside_parent: begins.range(..=parent).next_back().copied(), is_repeated, is_chosen };
        }
        around
    }
}

/// Where the nodes begin that a loop repeats: behind the first part of a `for`, which is done once. None for other nodes.
pub fn repeated_begin(outline: &Outline, node: Node) -> Option<Node> {
    match outline.nodes[node].kind {
        NodeKind::For { init: Some(init), .. } => Some(outline.nodes[init].end),
        NodeKind::While { .. } | NodeKind::DoWhile { .. } | NodeKind::For { .. } => Some(Node::new(node.index() + 1)),
        _ => None,
    }
}

fn intervals(outline: &Outline, is_reducible: &impl Fn(Node) -> bool, is_noconvergent: bool) -> Vec<Interval> {
    let mut intervals = Vec::new();
    for (node, data) in &outline.nodes {
        let last = Node::new(data.end.index() - 1);
        if let Some(first) = repeated_begin(outline, node) {
            intervals.push(Interval { first, last, is_defined: is_reducible(node) });
        }
        if let NodeKind::Goto(label) = data.kind && label <= node {
            intervals.push(Interval { first: label, last: node, is_defined: false });
        }
        if data.is_noconvergent && is_noconvergent {
            intervals.push(Interval { first: node, last, is_defined: false });
        }
    }
    intervals
}
