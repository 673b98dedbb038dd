//! Statement-level control flow: what a thread does after it starts a statement or evaluates a full expression.
//!
//! **Definition.** A *step* is a node: of a statement its start, of a full expression its evaluation. A *walk* is the list of a thread's
//! steps. Starting a compound statement leads to its first part, a jump to its target; evaluating a condition, to what it chooses between. What completes
//! normally leads to what comes *after* it: the next statement, the next iteration, or the end of the function. A condition can have any value: the outline
//! does not know which are constant.
//!
//! **Invariant.** No step leads to the same node in two ways, so a walk says everything about a thread's way through the body. (A branch leads into the
//! statement that it belongs to or out of it; and what comes after a statement in a loop's body is outside of it.)

use cranelift_entity::{EntityRef, SecondaryMap};

use crate::{Node, NodeKind, Outline};

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
            NodeKind::Expression => return self.add_evaluated(outline, node),
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
        let Some(parent) = outline.parent(node) else { return true };
        let after = self.after[parent];
        let next = match outline.kind(parent) {
            NodeKind::If { then, otherwise, .. } => [Some(Some(then)), Some(otherwise.or(after))],
            NodeKind::Switch { labels, has_default, .. } => {
                self.successors.extend(labels);
                [None, (!has_default).then_some(after)]
            }
            NodeKind::While { body, .. } | NodeKind::DoWhile { body, .. } => [Some(Some(body)), Some(after)],
            NodeKind::For { step, .. } if step == Some(node) => [Some(iteration_start(outline, parent)), None],
            NodeKind::For { body, .. } => [Some(Some(body)), Some(after)],
            NodeKind::Return(_) => [Some(None), None],
            _ => [Some(after), None],
        };
        self.add_all(next)
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
