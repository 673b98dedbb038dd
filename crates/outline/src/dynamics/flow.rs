//! Statement-level control flow: what a thread does after it starts a statement or evaluates a full expression.
//!
//! **Definition.** A *step* is a node: of a statement its start, of a full expression its first evaluation, and each other evaluation in it. A *walk* is the list of a thread's
//! steps. Starting a compound statement leads to its first part, a jump to its target; the last evaluation of a condition, to what its value chooses. What completes
//! normally leads to what comes *after* it: the next statement, the next iteration, or the end of the function. A condition can have any value: the outline
//! does not know which are constant.
//!
//! **Invariant.** No step leads to the same node in two ways, so a walk says everything about a thread's way through the body. (A branch leads into the
//! statement that it belongs to or out of it; and what comes after a statement in a loop's body is outside of it.)

use std::collections::VecDeque;

use cranelift_entity::{EntityRef, SecondaryMap};
use rustc_hash::FxHashMap;

use crate::{Next, Node, NodeKind, Outline};

/// What a thread can do after each step; see the module's comment.
#[derive(Debug, Clone)]
pub struct Flow {
    /// By node: the first of its successors; one element more than there are nodes.
    first: Vec<u32>,
    successors: Vec<Node>,
    /// By node: whether the function can end after it.
    ends: Vec<bool>,
    /// By node: what comes after it when it completes normally; none is the end of the function.
    after: SecondaryMap<Node, Option<Node>>,
}

impl Flow {
    /// O(nodes + labels of switches).
    pub fn new(outline: &Outline) -> Flow {
        let after = completions(outline);
        let mut flow = Flow { first: vec![0], successors: Vec::new(), ends: Vec::new(), after };
        for node in outline.nodes.keys() {
            let ends = flow.add(outline, node);
            flow.ends.push(ends);
            flow.first.push(flow.successors.len() as u32);
        }
        flow
    }

    /// How many nodes there are.
    pub fn node_count(&self) -> usize {
        self.ends.len()
    }

    /// The steps that can follow a step.
    pub fn successors(&self, node: Node) -> &[Node] {
        let range = self.first[node.index()] as usize..self.first[node.index() + 1] as usize;
        &self.successors[range]
    }

    /// Whether the function can end after a step: by a `return`, or at the end of the body.
    pub fn can_end(&self, node: Node) -> bool {
        self.ends[node.index()]
    }

    /// What follows a node that completes normally; none is the end of the function.
    pub fn after(&self, node: Node) -> Option<Node> {
        self.after[node]
    }

    /// The steps between two, of those that `is_hidden` holds for: the shortest way from one to the other, or to one from the start of the body. None if there is no such way. O(steps that can be
    /// reached by hidden ones).
    pub fn between(&self, from: Option<Node>, to: Node, is_hidden: impl Fn(Node) -> bool) -> Option<Vec<Node>> {
        let first = match from {
            Some(from) => self.successors(from),
            None => &[Node::from_u32(0)],
        };
        let mut before: FxHashMap<Node, Option<Node>> = first.iter().map(|&node| (node, None)).collect();
        let mut pending: VecDeque<Node> = first.iter().copied().collect();
        while let Some(node) = pending.pop_front() {
            if node == to {
                let mut steps: Vec<Node> = std::iter::successors(before[&node], |node| before[node]).collect();
                steps.reverse();
                return Some(steps);
            }
            if is_hidden(node) {
                for &next in self.successors(node) {
                    before.entry(next).or_insert_with(|| {
                        pending.push_back(next);
                        Some(node)
                    });
                }
            }
        }
        None
    }

    /// A walk on which `choose` says each time which of so many ways a thread goes; none: it stops there. It ends at the latest after `longest` steps.
    pub fn walk(&self, longest: usize, mut choose: impl FnMut(usize) -> usize) -> Vec<Node> {
        let mut walk = Vec::new();
        let mut next = (self.node_count() > 0).then(|| Node::new(0));
        while let Some(node) = next.filter(|_| walk.len() < longest) {
            walk.push(node);
            let ways = self.successors(node);
            let count = ways.len() + usize::from(self.can_end(node));
            let way = if count > 1 { choose(count) } else { 0 };
            next = ways.get(way).copied();
        }
        walk
    }

    /// Adds what can follow a node, and says whether the function can end there.
    fn add(&mut self, outline: &Outline, node: Node) -> bool {
        let mut next = [None, None];
        match outline.kind(node) {
            NodeKind::Expression | NodeKind::Evaluation => return self.add_evaluated(outline, node),
            NodeKind::Simple(None) => next[0] = Some(self.after[node]),
            NodeKind::Simple(Some(part)) | NodeKind::Return(Some(part)) => next[0] = Some(Some(part)),
            NodeKind::Compound => next[0] = Some(outline.parts(node).next().or(self.after[node])),
            NodeKind::If { condition, .. } | NodeKind::Switch { condition, .. } => next[0] = Some(Some(condition)),
            NodeKind::Case(body) | NodeKind::Label { body, .. } => next[0] = Some(Some(body)),
            NodeKind::For { init: Some(init), .. } => next[0] = Some(Some(init)),
            NodeKind::While { .. } | NodeKind::DoWhile { .. } | NodeKind::For { .. } => {
                next[0] = Some(iteration_start(outline, node));
            }
            NodeKind::Goto(label) => next[0] = Some(Some(label)),
            NodeKind::Break(target) => next[0] = Some(self.after[target]),
            NodeKind::Continue(target) => next[0] = Some(iteration_end(outline, target)),
            NodeKind::Return(None) => next[0] = Some(None),
        }
        self.add_all(next)
    }

    fn add_evaluated(&mut self, outline: &Outline, node: Node) -> bool {
        let full = outline.full_expression(node);
        let [no, yes] = outline.next(node);
        if let (Some(NodeKind::Switch { labels, .. }), Next::End(_)) =
            (outline.parent(full).map(|parent| outline.kind(parent)), yes)
        {
            self.successors.extend(labels);
        }
        let mut next = [yes, no].map(|next| match next {
            Next::Evaluation(evaluation) => Some(Some(evaluation)),
            Next::End(value) => self.behind(outline, full, value),
        });
        if next[0] == next[1] {
            next[1] = None;
        }
        self.add_all(next)
    }

    /// What follows a full expression with a value; none is the end of the function. Nothing follows the expression of a `switch` that has a label for all values.
    fn behind(&self, outline: &Outline, full: Node, value: bool) -> Option<Option<Node>> {
        let Some(parent) = outline.parent(full) else { return Some(None) };
        let after = self.after[parent];
        Some(match outline.kind(parent) {
            NodeKind::If { then, .. } if value => Some(then),
            NodeKind::If { otherwise, .. } => otherwise.or(after),
            NodeKind::Switch { has_default: true, .. } => return None,
            NodeKind::For { step, .. } if step == Some(full) => iteration_start(outline, parent),
            NodeKind::While { body, .. } | NodeKind::DoWhile { body, .. } | NodeKind::For { body, .. } if value => {
                Some(body)
            }
            NodeKind::Return(_) => None,
            _ => after,
        })
    }

    fn add_all(&mut self, next: [Option<Option<Node>>; 2]) -> bool {
        self.successors.extend(next.iter().flatten().flatten());
        next.contains(&Some(None))
    }
}

/// Where an iteration of a loop begins: at the condition of `while` and `for`, at the body of `do` and of a `for` without condition. None for other nodes.
pub fn iteration_start(outline: &Outline, node: Node) -> Option<Node> {
    match outline.kind(node) {
        NodeKind::While { condition, .. } => Some(condition),
        NodeKind::DoWhile { body, .. } => Some(body),
        NodeKind::For { condition, body, .. } => Some(condition.unwrap_or(body)),
        _ => None,
    }
}

/// Where `continue` leads: to the step of `for`, else to the condition, else to the next iteration.
fn iteration_end(outline: &Outline, node: Node) -> Option<Node> {
    match outline.kind(node) {
        NodeKind::While { condition, .. } | NodeKind::DoWhile { condition, .. } => Some(condition),
        NodeKind::For { step: Some(step), .. } => Some(step),
        _ => iteration_start(outline, node),
    }
}

/// What comes after each statement; a statement is numbered before its parts.
fn completions(outline: &Outline) -> SecondaryMap<Node, Option<Node>> {
    let mut after = outline.per_node();
    for node in outline.nodes.keys() {
        let then = after[node];
        match outline.kind(node) {
            NodeKind::Compound => {
                let parts = outline.parts(node);
                for (part, next) in parts.clone().zip(parts.skip(1).map(Some).chain([None])) {
                    after[part] = next.or(then);
                }
            }
            NodeKind::If { then: part, otherwise, .. } => {
                after[part] = then;
                otherwise.iter().for_each(|&part| after[part] = then);
            }
            NodeKind::Switch { body, .. } | NodeKind::Case(body) | NodeKind::Label { body, .. } => after[body] = then,
            NodeKind::While { body, .. } | NodeKind::DoWhile { body, .. } => after[body] = iteration_end(outline, node),
            NodeKind::For { init, body, .. } => {
                init.iter().for_each(|&init| after[init] = iteration_start(outline, node));
                after[body] = iteration_end(outline, node);
            }
            _ => {}
        }
    }
    after
}
