//! The rules of the 2024-10 text, executed for all threads together: a statement is executed with a set of threads, by each sentence of the text about what becomes of the set.
//!
//! What a thread chooses at a branch is read from its walk.

use reconverge_outline::{Node, NodeKind, Outline};

/// Threads, in order.
type Tangle = Vec<usize>;

/// How threads leave a statement; those that have come to the end of their walks are gone.
#[derive(Default)]
struct Left {
    /// They reached the end.
    ended: Tangle,
    /// By what they break out of.
    broke: Vec<(Node, Tangle)>,
    /// By the loop whose iteration they end.
    continued: Vec<(Node, Tangle)>,
    /// By the label: those that executed one `goto` together.
    jumped: Vec<(Node, Tangle)>,
}

struct Run<'a> {
    outline: &'a Outline,
    walks: &'a [Vec<Node>],
    /// By thread and step: the tangle with which it was made.
    tangles: Vec<Vec<usize>>,
    count: usize,
}

/// The number of the tangle of each step.
pub(crate) fn run(outline: &Outline, walks: &[Vec<Node>]) -> Vec<Vec<usize>> {
    let mut run = Run { outline, walks, tangles: vec![Vec::new(); walks.len()], count: 0 };
    let left = run.execute(Node::from_u32(0), (0..walks.len()).collect());
    assert!(left.jumped.is_empty() && left.broke.is_empty() && left.continued.is_empty());
    run.tangles
}

fn merge(one: &mut Tangle, other: Tangle) {
    one.extend(other);
    one.sort_unstable();
}

impl Left {
    /// Adds those that did not reach the end; gives those that did.
    fn add(&mut self, other: Left) -> Tangle {
        self.broke.extend(other.broke);
        self.continued.extend(other.continued);
        self.jumped.extend(other.jumped);
        other.ended
    }

    fn take(list: &mut Vec<(Node, Tangle)>, node: Node) -> Tangle {
        let mut taken = Vec::new();
        list.retain(|(target, tangle)| {
            if *target == node {
                taken.extend(tangle);
            }
            *target != node
        });
        taken.sort_unstable();
        taken
    }
}

impl Run<'_> {
    fn contains(&self, outer: Node, inner: Node) -> bool {
        outer <= inner && inner < self.outline.nodes[outer].end
    }

    /// What the thread does next.
    fn next(&self, thread: usize) -> Option<Node> {
        self.walks[thread].get(self.tangles[thread].len()).copied()
    }

    /// Makes a step with a tangle; what is left of it are those that go on.
    fn step(&mut self, node: Node, tangle: Tangle) -> Tangle {
        self.count += 1;
        let mut left = Vec::new();
        for thread in tangle {
            match self.next(thread) {
                None => continue,
                Some(next) => assert_eq!(next, node, "thread {thread} at step {}", self.tangles[thread].len()),
            }
            self.tangles[thread].push(self.count);
            if self.next(thread).is_some() {
                left.push(thread);
            }
        }
        left
    }

    /// Evaluates a full expression: each of its operands by those threads that come to it (2024-10, "Expressions").
    fn evaluate(&mut self, node: Node, tangle: Tangle) -> Tangle {
        let mut tangle = self.step(node, tangle);
        for evaluation in self.outline.parts(node) {
            let (here, past) = self.split(tangle, evaluation);
            tangle = past;
            merge(&mut tangle, self.step(evaluation, here));
        }
        tangle
    }

    /// Those of a tangle that go on at a node, and the others.
    fn split(&self, tangle: Tangle, node: Node) -> (Tangle, Tangle) {
        tangle.into_iter().partition(|&thread| self.next(thread) == Some(node))
    }

    /// Executes a statement from its start.
    fn execute(&mut self, node: Node, tangle: Tangle) -> Left {
        let tangle = self.step(node, tangle);
        if tangle.is_empty() {
            return Left::default();
        }
        let outline = self.outline;
        let mut left = Left::default();
        match outline.kind(node) {
            NodeKind::Expression | NodeKind::Evaluation => unreachable!("evaluated, not executed"),
            NodeKind::Simple(part) => left.ended = part.map_or(tangle.clone(), |part| self.evaluate(part, tangle)),
            NodeKind::Compound => {
                let parts: Vec<Node> = outline.parts(node).collect();
                left = self.sequence(&parts, tangle);
            }
            NodeKind::Case(body) | NodeKind::Label { body, .. } => left = self.execute(body, tangle),
            NodeKind::If { condition, then, otherwise } => {
                let tangle = self.evaluate(condition, tangle);
                let (yes, no) = self.split(tangle, then);
                let yes = self.execute(then, yes);
                let mut ended = left.add(yes);
                let no = match otherwise {
                    Some(otherwise) => {
                        let no = self.execute(otherwise, no);
                        left.add(no)
                    }
                    None => no,
                };
                merge(&mut ended, no);
                left.ended = ended;
            }
            NodeKind::Switch { condition, body, labels, .. } => {
                let mut rest = self.evaluate(condition, tangle);
                let mut ended = Vec::new();
                for &label in labels {
                    let (here, others) = self.split(rest, label);
                    rest = others;
                    if !here.is_empty() {
                        let these = self.enter(body, label, here);
                        merge(&mut ended, left.add(these));
                    }
                }
                merge(&mut ended, rest);
                left.ended = ended;
            }
            NodeKind::While { condition, .. } => left = self.repeat(node, Some(condition), tangle),
            NodeKind::DoWhile { .. } => left = self.repeat(node, None, tangle),
            NodeKind::For { init, condition, .. } => {
                let mut tangle = tangle;
                if let Some(init) = init {
                    tangle = self.execute(init, tangle).ended;
                }
                left = self.repeat(node, condition, tangle);
            }
            NodeKind::Goto(label) => left.jumped.push((label, tangle)),
            NodeKind::Break(target) => left.broke.push((target, tangle)),
            NodeKind::Continue(target) => left.continued.push((target, tangle)),
            NodeKind::Return(part) => {
                if let Some(part) = part {
                    self.evaluate(part, tangle);
                }
            }
        }
        self.finish(node, left)
    }

    /// Executes a statement from a label in it, with the tangle of the jump.
    fn enter(&mut self, node: Node, label: Node, tangle: Tangle) -> Left {
        if node == label {
            return self.execute(node, tangle);
        }
        let outline = self.outline;
        let mut left = match outline.kind(node) {
            NodeKind::Compound => {
                let parts: Vec<Node> = outline.parts(node).collect();
                let at = parts.iter().position(|&part| self.contains(part, label)).expect("the label is in a part");
                let mut left = Left::default();
                let first = self.enter(parts[at], label, tangle);
                let tangle = left.add(first);
                let rest = self.sequence(&parts[at + 1..], tangle);
                left.ended = left.add(rest);
                left
            }
            NodeKind::If { then, otherwise, .. } => {
                let part = if self.contains(then, label) { then } else { otherwise.expect("the label is in a branch") };
                self.enter(part, label, tangle)
            }
            NodeKind::Case(body) | NodeKind::Label { body, .. } | NodeKind::Switch { body, .. } => {
                self.enter(body, label, tangle)
            }
            NodeKind::While { body, .. } | NodeKind::DoWhile { body, .. } | NodeKind::For { body, .. } => {
                let mut left = Left::default();
                let mut first = self.enter(body, label, tangle);
                self.again(node, &mut first);
                let tangle = self.iteration(node, first, &mut left);
                let rest = self.iterations(node, tangle);
                merge(&mut left.ended, rest.ended.clone());
                left.add(rest);
                left
            }
            kind => panic!("no label in {kind:?}"),
        };
        left.ended.sort_unstable();
        self.finish(node, left)
    }

    /// "The tangle associated with the next substatement is the set of threads that sequentially execute it."
    fn sequence(&mut self, parts: &[Node], mut tangle: Tangle) -> Left {
        let mut left = Left::default();
        for &part in parts {
            if tangle.is_empty() {
                break;
            }
            let these = self.execute(part, tangle);
            tangle = left.add(these);
        }
        left.ended = tangle;
        left
    }

    /// A loop from its start: the first condition, if it is tested before, or the first execution of the body.
    fn repeat(&mut self, node: Node, condition: Option<Node>, tangle: Tangle) -> Left {
        match condition {
            Some(condition) => self.test(node, condition, tangle),
            None => self.body(node, tangle),
        }
    }

    /// The condition before the body: those that do not reach the body end the loop.
    fn test(&mut self, node: Node, condition: Node, tangle: Tangle) -> Left {
        let tangle = self.evaluate(condition, tangle);
        let (inside, outside) = self.split(tangle, self.body_of(node));
        let mut left = self.body(node, inside);
        merge(&mut left.ended, outside);
        left
    }

    fn body_of(&self, node: Node) -> Node {
        match self.outline.kind(node) {
            NodeKind::While { body, .. } | NodeKind::DoWhile { body, .. } | NodeKind::For { body, .. } => body,
            ref kind => panic!("no loop: {kind:?}"),
        }
    }

    fn body(&mut self, node: Node, tangle: Tangle) -> Left {
        let mut left = Left::default();
        if tangle.is_empty() {
            return left;
        }
        let mut first = self.execute(self.body_of(node), tangle);
        self.again(node, &mut first);
        let tangle = self.iteration(node, first, &mut left);
        let rest = self.iterations(node, tangle);
        merge(&mut left.ended, rest.ended.clone());
        left.add(rest);
        left
    }

    /// Those who jumped back to the body from inside execute it anew, and reach the end of the same iteration.
    fn again(&mut self, node: Node, left: &mut Left) {
        let body = self.body_of(node);
        while let Some(at) = left.jumped.iter().position(|&(label, _)| label == body) {
            let (_, tangle) = left.jumped.swap_remove(at);
            let after = self.execute(body, tangle);
            let ended = left.add(after);
            merge(&mut left.ended, ended);
        }
    }

    /// Who reaches the end of an iteration: "including those threads that skipped the rest by executing a `continue`".
    fn iteration(&mut self, node: Node, mut body: Left, left: &mut Left) -> Tangle {
        let mut tangle = Left::take(&mut body.continued, node);
        merge(&mut tangle, left.add(body));
        tangle
    }

    /// What follows an execution of the body.
    fn iterations(&mut self, node: Node, tangle: Tangle) -> Left {
        if tangle.is_empty() {
            return Left::default();
        }
        match self.outline.kind(node) {
            NodeKind::While { condition, .. } | NodeKind::DoWhile { condition, .. } => {
                self.test(node, condition, tangle)
            }
            NodeKind::For { condition, step, .. } => {
                let tangle = match step {
                    Some(step) => self.evaluate(step, tangle),
                    None => tangle,
                };
                self.repeat(node, condition, tangle)
            }
            ref kind => panic!("no loop: {kind:?}"),
        }
    }

    /// Those who broke out of this statement end it; and this is where those go on who jumped, if it is the smallest statement that contains the jump and the label.
    fn finish(&mut self, node: Node, mut left: Left) -> Left {
        loop {
            let broke = Left::take(&mut left.broke, node);
            merge(&mut left.ended, broke);
            // "Both": the label is executed anew, so that it is a part of this statement.
            let is_inside = |label: Node| label != node && self.contains(node, label);
            let Some(at) = left.jumped.iter().position(|&(label, _)| is_inside(label)) else { return left };
            let (label, tangle) = left.jumped.swap_remove(at);
            let after = self.enter(node, label, tangle);
            let ended = left.add(after);
            merge(&mut left.ended, ended);
        }
    }
}
