//! By what the convergence of a node is decided: the nest of contexts of a body.
//!
//! **Definition.** An *interval* is a range of nodes that can be executed several times, or for which the implementation decides:
//!
//! - a loop: what is executed in each iteration (not the first part of a `for`); *reducible* or not;
//! - a goto cycle: the span of a backward `goto`, from its label to the `goto`, both included, in the order of tokens;
//! - 2025-04: a `noconvergent` statement;
//! - 2025-08: where a jump leads into a block or a branch from outside of it, what comes from the label on there.
//!
//! The first node that is in an interval on the way from the body inwards is a *base*: a `B` that an interval contains which begins after the parent of `B`. The bases of a reducible
//! loop are the parts of it that are repeated; if no other interval makes it a base, `B` belongs to the *iteration* context of the loop. Else it has a *choice* context of its own: whether
//! two executions of `B` are converged is implementation-defined. The *body* is the context of all that is in no interval. For another node `X`, let `I` be the interval that begins last among those that contain it (of two
//! that begin at one node, the one that is not a reducible loop):
//!
//! - 2025-04: if `I` is a reducible loop, its iteration context. Else the choice of the outermost `S` around `X` that does not begin before `I`: exactly for the statements up to
//!   `S` does "every cycle that contains `X` also contain" them ("Sequential Execution"). So what stands behind the last jump back out of a statement is decided further out than that statement is.
//! - 2025-08: the context of its parent ("Statements": an inner tangle is derived from that of the immediately enclosing statement).
//!
//! The context around a choice is found in the same way, from the intervals that also contain the parent of `B`; or it is that of the iterations of the parent.
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
use crate::SourceModel;
use crate::{Node, NodeKind, Outline};

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
enum Derivation {
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
    /// The reducible loop that it is.
    repeats: Option<Node>,
}

impl Contexts {
    /// The nest of a body.
    pub fn new(outline: &Outline, is_reducible: impl Fn(Node) -> bool, text: SourceModel) -> Contexts {
        let derivation = match text {
            SourceModel::Clang2025_08 => Derivation::Enclosing,
            // Tangles have rules of their own; by contexts they would be those of the later text without `noconvergent`.
            SourceModel::Clang2025_04 | SourceModel::Tangles2024_10 => Derivation::Sequential,
        };
        let intervals = intervals(outline, &is_reducible, text);
        let around = Around::of_all(outline, &is_reducible, intervals);
        let mut nest =
            Contexts { contexts: PrimaryMap::new(), of: outline.per_node(), iterations: SecondaryMap::new() };
        let body = nest.contexts.push(ContextData { kind: ContextKind::Body, outer: None, depth: 0, is_chosen: false });
        let mut ancestors: Vec<Node> = Vec::new();
        for (node, data) in &outline.nodes {
            while ancestors.last().is_some_and(|&last| last != data.parent().unwrap_or(last)) {
                ancestors.pop();
            }
            let around = around[node];
            let outside = match (derivation, data.parent()) {
                (_, None) => body,
                (Derivation::Sequential, Some(_)) => match around.outside_parent {
                    None => body,
                    Some(Begin { repeats: Some(repeats), .. }) => nest.iteration(repeats),
                    Some(Begin { node: begin, .. }) => {
                        let base = ancestors.get(ancestors.partition_point(|&ancestor| ancestor < begin));
                        base.map_or(body, |&base| nest.of[base])
                    }
                },
                (Derivation::Enclosing, Some(parent)) => nest.of[parent],
            };
            nest.of[node] = match data.parent() {
                None => body,
                Some(parent) if around.is_repeated => {
                    let iteration = nest.iteration(parent);
                    if around.is_chosen { nest.push(ContextKind::Choice(node), iteration) } else { iteration }
                }
                Some(_) if around.is_chosen => nest.push(ContextKind::Choice(node), outside),
                // No interval begins between the parent and the node.
                Some(_) => outside,
            };
            ancestors.push(node);
        }
        nest
    }

    /// Whether `inner` is `outer` or in it; O(difference of their depths).
    pub fn contains(&self, outer: Context, inner: Context) -> bool {
        let mut at = inner;
        while self.contexts[at].depth > self.contexts[outer].depth {
            let Some(around) = self.contexts[at].outer else { break };
            at = around;
        }
        at == outer
    }

    /// The outermost context of which the step from one node to another begins an execution although it may have been in one: the iterations of a loop, or what the
    /// node is the base of. A `goto` to the body of a loop from inside of it begins no iteration.
    pub fn restarted(&self, outline: &Outline, from: Option<Node>, to: Node) -> Option<Context> {
        let is_jump = from.is_some_and(|from| matches!(outline.kind(from), NodeKind::Goto(_)));
        let iterated = outline.parent(to).filter(|&parent| !is_jump && iteration_start(outline, parent) == Some(to));
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

/// Where an interval begins. Ordered: of two that begin at one node, the one that is not a reducible loop is the later one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Begin {
    node: Node,
    is_chosen: bool,
    /// The reducible loop that it is.
    repeats: Option<Node>,
}

/// What the intervals around a node say.
#[derive(Debug, Clone, Copy, Default)]
struct Around {
    /// The latest begin, not after the node's parent, of an interval that contains both.
    outside_parent: Option<Begin>,
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
        let mut around = outline.per_node();
        for (node, data) in outline.nodes.iter().rev() {
            while let Some(Interval { first, repeats, .. }) = intervals.pop_if(|interval| interval.last >= node) {
                begins.insert(Begin { node: first, is_chosen: repeats.is_none(), repeats });
                if repeats.is_none() {
                    chosen.insert(first);
                }
            }
            let Some(parent) = data.parent() else { continue };
            let after_parent = Node::new(parent.index() + 1);
            let before = Begin { node: after_parent, is_chosen: false, repeats: None };
            around[node] = Around {
                outside_parent: begins.range(..before).next_back().copied(),
                is_repeated: is_reducible(parent) && repeated_begin(outline, parent).is_some_and(|begin| begin <= node),
                is_chosen: chosen.range(after_parent..=node).next_back().is_some(),
            };
        }
        around
    }
}

/// Where the nodes begin that a loop repeats: behind the first part of a `for`, which is done once. None for other nodes.
pub fn repeated_begin(outline: &Outline, node: Node) -> Option<Node> {
    match outline.kind(node) {
        NodeKind::For { init: Some(init), .. } => Some(outline.nodes[init].end),
        NodeKind::While { .. } | NodeKind::DoWhile { .. } | NodeKind::For { .. } => Some(Node::new(node.index() + 1)),
        _ => None,
    }
}

fn intervals(outline: &Outline, is_reducible: &impl Fn(Node) -> bool, text: SourceModel) -> Vec<Interval> {
    let mut intervals = Vec::new();
    let last = |node: Node| Node::new(outline.nodes[node].end.index() - 1);
    for (node, data) in &outline.nodes {
        if let Some(first) = repeated_begin(outline, node) {
            intervals.push(Interval { first, last: last(node), repeats: is_reducible(node).then_some(node) });
        }
        if let NodeKind::Goto(label) = outline.kind(node)
            && label <= node
        {
            intervals.push(Interval { first: label, last: node, repeats: None });
        }
        if data.is_noconvergent && text == SourceModel::Clang2025_04 {
            intervals.push(Interval { first: node, last: last(node), repeats: None });
        }
        if text == SourceModel::Clang2025_08 {
            match outline.kind(node) {
                NodeKind::Goto(label) => entered(outline, node, label, &mut intervals),
                NodeKind::Switch { body, labels, .. } => {
                    labels.iter().for_each(|&label| entered(outline, body, label, &mut intervals));
                }
                _ => {}
            }
        }
    }
    intervals
}

/// What comes from a label on in the blocks and branches that a jump to it enters. A `switch` is taken to be in its body.
fn entered(outline: &Outline, from: Node, label: Node, intervals: &mut Vec<Interval>) {
    let is_label = |node: Node| matches!(outline.kind(node), NodeKind::Label { .. } | NodeKind::Case(_));
    let labelled = outline.ancestors(label).take_while(|&outer| is_label(outer)).last().unwrap_or(label);
    let is_inside = outline.parent(labelled).is_none_or(|enclosing| match outline.kind(enclosing) {
        // A branch is reached after the condition.
        NodeKind::If { .. } => outline.contains(labelled, from),
        _ => outline.contains(enclosing, from),
    });
    if is_inside {
        return;
    }
    let mut push = |first: Node, end: Node| {
        if first < end {
            intervals.push(Interval { first, last: Node::new(end.index() - 1), repeats: None });
        }
    };
    push(label, outline.nodes[label].end);
    let mut part = label;
    for outer in outline.ancestors(label).take_while(|&outer| !outline.contains(outer, from)) {
        if matches!(outline.kind(outer), NodeKind::Compound) {
            push(outline.nodes[part].end, outline.nodes[outer].end);
        }
        part = outer;
    }
}
