//! What a model of convergence makes of a function's graph, and where a thread is in it.
//!
//! A [`Context`] is all that a thread remembers of its path through one activation, and a function of that path alone: it
//! does not matter when other threads run. Its [fingerprint](Flow::fingerprint) is what the thread's instance key at an uncontrolled
//! operation is made of, together with the operation and the activation.
//!
//! - *Maximal*: the [`Counts`] of the cycles around the block.
//! - *Immediate post-dominator*: the classical reconvergence stack, seen from one thread. At each branch it pushes where the
//!   threads that go different ways meet again, the branch's immediate post-dominator, and which way it went; at that point
//!   it pops. Consecutive entries with the same point are one, whose path grows. In cycles that nothing leaves there may be no such
//!   entry, so there the counts take part.

use cranelift_entity::EntityRef;
use reconverge_graph::{CycleForest, Digraph, Node, PostDominators};
use reconverge_outline::dynamics::Position;
use reconverge_semantics::{BlockOrder, Counts, Step};
use smallvec::SmallVec;

use super::code::{Code, EdgeIndex};
use crate::launch::Model;

/// Two numbers become one, such that neither can be exchanged without changing it.
pub(crate) fn mix(a: u64, b: u64) -> u64 {
    let mut z = a.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ b;
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// A function under a model.
#[derive(Debug)]
pub(crate) struct Flow {
    pub(crate) order: BlockOrder,
    /// For each edge of the code.
    steps: Vec<Step>,
    /// Under the immediate post-dominator model: for each block with a choice where its ways meet.
    stack: Option<Vec<Meeting>>,
}

#[derive(Debug, Clone, Copy)]
struct Meeting {
    /// Whether threads can go different ways from here.
    branches: bool,
    /// Where they meet; `NOWHERE` if not before the end.
    at: u32,
    /// Whether nothing leads from here to the end of the function.
    endless: bool,
}

const NOWHERE: u32 = u32::MAX;

/// Where a thread is in an activation, beyond its block.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Context {
    pub(crate) counts: Counts,
    pub(crate) stack: SmallVec<[Reconvergence; 2]>,
    /// Where it is in the statements that the function was made from, if these say who is converged, since it passed the first marker.
    pub(crate) position: Option<Position>,
}

/// An entry of the reconvergence stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reconvergence {
    /// The block at which it is popped.
    at: u32,
    /// What the thread chose since.
    path: u64,
    /// How many choices these are.
    length: u64,
}

impl Flow {
    /// What `model` makes of a function in a cycle hierarchy.
    pub(crate) fn compute(code: &Code, model: Model, hierarchy: &CycleForest) -> Flow {
        let graph = &code.graph;
        let order = BlockOrder::compute(graph, hierarchy);
        let steps = code
            .edges
            .iter()
            .map(|edge| order.step(Node::new(edge.from as usize), Node::new(edge.target as usize)))
            .collect();
        let stack = (model == Model::ImmediatePostDominator).then(|| meetings(graph));
        Flow { order, steps, stack }
    }

    /// The context at the start of an activation.
    pub(crate) fn enter(&self) -> Context {
        Context { counts: self.order.enter(Node::new(0)), ..Context::default() }
    }

    /// Which of two points of one activation is further down.
    pub(crate) fn compare(&self, a: (u32, &Context), b: (u32, &Context)) -> std::cmp::Ordering {
        let node = |block: u32| Node::new(block as usize);
        self.order.compare((node(a.0), &a.1.counts), (node(b.0), &b.1.counts))
    }

    /// Moves a context along an edge.
    pub(crate) fn follow(&self, code: &Code, edge: EdgeIndex, context: &mut Context) {
        self.steps[edge as usize].apply(&mut context.counts);
        let Some(meetings) = &self.stack else { return };
        let edge = &code.edges[edge as usize];
        let meeting = meetings[edge.from as usize];
        if meeting.branches {
            let path = |before: u64| mix(mix(before, u64::from(edge.from)), u64::from(edge.target));
            match context.stack.last_mut() {
                Some(top) if top.at == meeting.at => {
                    top.path = path(top.path);
                    top.length += 1;
                }
                top => {
                    let below = top.map_or(0, |top| top.path);
                    context.stack.push(Reconvergence { at: meeting.at, path: path(below), length: 1 });
                }
            }
        }
        while context.stack.last().is_some_and(|top| top.at == edge.target) {
            context.stack.pop();
        }
    }

    /// What of a context decides which threads are converged at an uncontrolled operation.
    pub(crate) fn fingerprint(&self, block: u32, context: &Context) -> u64 {
        let counts = |seed| context.counts.iter().fold(seed, |print, &count| mix(print, count));
        match &self.stack {
            None => counts(1),
            Some(meetings) => {
                let path = context.stack.last().map_or(0, |top| top.path);
                if meetings[block as usize].endless { counts(path) } else { path }
            }
        }
    }

    /// Whether a thread at one point of an activation can come to another one in a dynamic instance that is converged with the
    /// one which `to` stands for. Both are in blocks; equal blocks can reach each other when the contexts agree. Under the
    /// stack model the answer is yes in some cases of doubt.
    pub(crate) fn can_reach(&self, graph: &Digraph, from: (u32, &Context), to: (u32, &Context)) -> bool {
        let node = |block: u32| Node::new(block as usize);
        let Some(meetings) = &self.stack else {
            return self.order.can_reach(graph, (node(from.0), &from.1.counts), (node(to.0), &to.1.counts));
        };
        // What both have chosen since they parted: nothing further down the stacks can differ.
        let common = from.1.stack.iter().zip(&to.1.stack).take_while(|(a, b)| a == b).count();
        let limit = common.checked_sub(1).map(|top| to.1.stack[top].at);
        let theirs = to.1.stack.get(common).map(|theirs| theirs.at);
        // From a point where the stack is what is common: choices that end elsewhere have to have ended.
        let from_common = |start: u32| {
            let mut seen = vec![false; graph.node_count()];
            let mut block = start;
            loop {
                if block == to.0 && theirs.is_none() {
                    return true;
                }
                if std::mem::replace(&mut seen[block as usize], true) {
                    return false;
                }
                let Meeting { branches, at, .. } = meetings[block as usize];
                let next = if branches {
                    if Some(at) == theirs && reaches(graph, block, to.0, |between| between == at) {
                        return true;
                    }
                    Some(at).filter(|&at| at != NOWHERE)
                } else {
                    graph.successors(node(block)).first().map(|next| next.index() as u32)
                };
                // To come to the limit takes an entry away that is common, and a choice up to there changes it.
                match next.filter(|&next| Some(next) != limit) {
                    Some(next) => block = next,
                    None => return false,
                }
            }
        };
        match from.1.stack.get(common) {
            None => from_common(from.0),
            Some(mine) => {
                // It may yet choose as the other one did, or choose anew where this choice ends.
                let same_end =
                    to.1.stack.get(common).is_some_and(|theirs| mine.at == theirs.at && mine.length < theirs.length);
                let ahead = || reaches(graph, from.0, to.0, |between| between == mine.at || Some(between) == limit);
                same_end && ahead() || mine.at != NOWHERE && Some(mine.at) != limit && from_common(mine.at)
            }
        }
    }
}

/// Whether a path leads from one block to another that does not enter an avoided block on the way. A block reaches itself.
pub(crate) fn reaches(graph: &Digraph, from: u32, to: u32, avoid: impl Fn(u32) -> bool) -> bool {
    let mut seen = vec![false; graph.node_count()];
    let mut stack = vec![from];
    seen[from as usize] = true;
    while let Some(block) = stack.pop() {
        if block == to {
            return true;
        }
        for successor in graph.successors(Node::new(block as usize)).iter().map(|node| node.index() as u32) {
            if !seen[successor as usize] && !avoid(successor) {
                seen[successor as usize] = true;
                stack.push(successor);
            }
        }
    }
    false
}

fn meetings(graph: &Digraph) -> Vec<Meeting> {
    let post_dominators = PostDominators::compute(graph);
    let mut ends = vec![false; graph.node_count()];
    let mut stack: Vec<Node> = graph.nodes().filter(|&node| graph.successors(node).is_empty()).collect();
    for &node in &stack {
        ends[node.index()] = true;
    }
    while let Some(node) = stack.pop() {
        for &before in graph.predecessors(node) {
            if !std::mem::replace(&mut ends[before.index()], true) {
                stack.push(before);
            }
        }
    }
    let meeting = |node: Node| Meeting {
        branches: graph.successors(node).windows(2).any(|pair| pair[0] != pair[1]),
        at: post_dominators.immediate_post_dominator(node).map_or(NOWHERE, |at| at.index() as u32),
        endless: !ends[node.index()],
    };
    graph.nodes().map(meeting).collect()
}
