//! Keys of tangles that stay apart (2024-10), where unrelated tangles are never united.
//!
//! **Definition.** The tangle of a step at `X` with key `k` are the threads that have a step with that key. Every statement that a thread is in has a *chain*: the key under which its parts are
//! executed, one after the other, and key of a step at a part `X` of `S` is `(X, chain of S)`. The chain of
//!
//! - the body is the call ("Function body");
//! - a statement that is started is the chain of the statement that it is a part of ("Sequential Execution", "The `if` Statement");
//! - a loop `W` with chain `c` in its `n`-th iteration is `(W, c, n)` ("Iteration Statement");
//! - a `switch` with chain `c`, after a jump to its label `C`, and all statements in it around `C`: `(C, c)` ("The `switch` Statement"); so that a fall-through does not reconverge before its end;
//! - the smallest statement that contains both a `goto`, executed with key `k`, and its label `L`, after the jump, and all statements in it around `L`: `(L, k)` ("The `goto` Statement", and "remains distinct
//!   until the end of the smallest statement that contains both", "Divergent Jumps"). `L` itself is that statement when the `goto` is in it.
//!
//! What follows a statement is keyed by the chain of the statement around it, which a jump inside did not change; so that threads meet again there. A loop that a jump enters is in its first iteration, with the
//! chain of the jump.
//!
//! **Algorithm.** The statements that a thread is in, with their chains, are a stack. O(1) amortised, plus the statements that a jump enters at once.

use reconverge_semantics::Key;

use super::flow::iteration_start;
use super::keys::{Interner, Shape};
use crate::outline::{Node, NodeKind, Outline};

/// Where a thread is.
#[derive(Debug, Clone)]
pub(super) struct Tangles {
    /// Under what the body is executed.
    call: Key,
    /// The statements that it is in, outermost first.
    statements: Vec<Entered>,
    /// The key of the latest step.
    last: Key,
}

/// A statement that a thread is in.
#[derive(Debug, Clone, Copy)]
struct Entered {
    statement: Node,
    /// Under what its parts are executed.
    chain: Key,
    /// Of a loop: the chain outside of iterations.
    outside: Key,
    /// Of a loop: which iteration it is in.
    nth: u32,
}

pub(super) struct Chains<'a> {
    pub(super) outline: &'a Outline,
    pub(super) interner: &'a mut Interner,
}

impl Tangles {
    pub(super) fn new(call: Key) -> Tangles {
        Tangles { call, statements: Vec::new(), last: call }
    }

    fn chain(&self) -> Key {
        self.statements.last().map_or(self.call, |entered| entered.chain)
    }
}

impl Chains<'_> {
    pub(super) fn step(&mut self, thread: &mut Tangles, from: Option<Node>, node: Node) -> Key {
        let jump = from.and_then(|from| self.jump(from, node));
        match jump {
            Some(smallest) => self.jumped(thread, smallest, node),
            None => {
                while thread.statements.pop_if(|entered| !self.is_inside(node, entered.statement)).is_some() {}
                self.iterate(thread, node);
            }
        }
        let key = self.interner.key(Shape::Executed { node, under: thread.chain() });
        if !matches!(self.outline.nodes[node].kind, NodeKind::Expression)
            && thread.statements.last().is_none_or(|entered| entered.statement != node)
        {
            self.enter(thread, node);
        }
        thread.last = key;
        key
    }

    /// How a step jumps, if it does.
    fn jump(&self, from: Node, to: Node) -> Option<Jump> {
        match (&self.outline.nodes[from].kind, &self.outline.nodes[to].kind) {
            (NodeKind::Goto(_), _) => Some(Jump::Goto),
            (NodeKind::Expression, NodeKind::Case(_)) => {
                let parent = self.outline.nodes[from].parent?;
                matches!(self.outline.nodes[parent].kind, NodeKind::Switch { .. } if self.is_inside(to, parent))
                    .then_some(Jump::Switch)
            }
            _ => None,
        }
    }

    fn jumped(&mut self, thread: &mut Tangles, jump: Jump, to: Node) {
        let contains = |statement: Node| statement <= to && to < self.outline.nodes[statement].end;
        while thread.statements.pop_if(|entered| !contains(entered.statement)).is_some() {}
        let under = match jump {
            Jump::Goto => thread.last,
            Jump::Switch => thread.chain(),
        };
        let chain = self.interner.key(Shape::Jumped { to, under });
        let Some(smallest) = thread.statements.last_mut() else { return };
        smallest.chain = chain;
        let smallest = smallest.statement;
        let mut around = Vec::new();
        let mut at = self.outline.nodes[to].parent.filter(|_| to != smallest);
        while let Some(statement) = at.filter(|&statement| statement != smallest) {
            around.push(statement);
            at = self.outline.nodes[statement].parent;
        }
        thread.statements.extend(around.into_iter().rev().map(|statement| Entered {
            statement,
            chain,
            outside: chain,
            nth: 1,
        }));
    }

    /// Counts an iteration, if the step begins one.
    fn iterate(&mut self, thread: &mut Tangles, node: Node) {
        let Some(entered) = thread.statements.last_mut() else { return };
        if iteration_start(self.outline, entered.statement) == Some(node) {
            entered.nth += 1;
            let (repeats, under, nth) = (entered.statement, entered.outside, entered.nth);
            entered.chain = self.interner.key(Shape::Iteration { repeats, under, nth });
        }
    }

    fn enter(&self, thread: &mut Tangles, statement: Node) {
        let chain = thread.chain();
        thread.statements.push(Entered { statement, chain, outside: chain, nth: 0 });
    }

    /// Whether a node is a part of a statement, or of a part of it.
    fn is_inside(&self, node: Node, statement: Node) -> bool {
        statement < node && node < self.outline.nodes[statement].end
    }
}

enum Jump {
    Goto,
    Switch,
}
