//! Keys of tangles (2024-10), that stay apart or are united.
//!
//! **Definition.** The tangle of a step at `X` with key `k` are the threads that have a step with that key. Every statement that a thread is in has a *chain*: the key under which its parts are
//! executed, one after the other. The key of a step at a part `X` of `S` is `(X, chain of S)`. The chain of
//!
//! - the body is the call ("Function body");
//! - a statement that is started is the chain of the statement that it is a part of ("Sequential Execution", "The `if` Statement"); so is that of a full expression, for the evaluations in it ("Expressions");
//! - a loop `W` with chain `c` in its `n`-th iteration is `(W, c, n)` ("Iteration Statement"). A loop that a jump enters is in its first iteration.
//!
//! *Apart*, the chain of
//!
//! - a `switch` with chain `c`, after a jump to its label `C`, and of all statements in it around `C`, is `(C, c)` ("The `switch` Statement"), so that a fall-through does not reconverge before its end;
//! - the smallest statement that contains both a `goto`, executed with key `k`, and its label `L`, after the jump, and of all statements in it around `L`, is `(L, k)` ("The `goto` Statement", and "remains distinct
//!   until the end of the smallest statement that contains both", "Divergent Jumps"). It is one around `L` also when the `goto` is in `L`: that executes `L` anew. A loop whose body is `L` keeps its
//!   chain, so that only this execution of `L` has another one.
//!
//! What follows a statement is keyed by the chain of the statement around it, which a jump inside did not change; so that threads meet again there.
//!
//! *United* ("Maximal Convergence"), a jump changes no chain, so that all threads with one chain are united at its label, but for backward jumps. Those make cycles of parts of the smallest statement `S` that contains
//! jump and label. In a hierarchy of these cycles let `h` be the key of the latest execution, in this execution of `S`, of a part that is a header of a cycle that contains the part `P`, if there is one: then `P` is executed under `h` instead of the
//! chain of `S`. Each united tangle is a union of tangles that would stay apart (`tests/it/dynamics`): chains that are equal apart come from the same jumps.
//!
//! **Algorithm.** The statements that a thread is in, with their chains, are a stack. O(1) amortised, plus the statements that a jump enters at once.

use cranelift_entity::{EntityRef, SecondaryMap};
use reconverge_graph::{Cycle, CycleForest, Digraph, Node as Part, SuccessorOrder};
use reconverge_semantics::Key;

use super::flow::{Flow, iteration_start};
use super::keys::{Interner, Shape};
use crate::{Node, NodeKind, Outline};

/// What is done with unrelated tangles.
#[derive(Debug)]
pub(super) enum Jumps {
    /// They stay apart.
    Apart,
    /// They are united.
    United(Parts),
}

/// The cycles that backward jumps make of the parts of statements.
#[derive(Debug, Default)]
pub(super) struct Parts {
    /// By statement that is the smallest one to contain some backward jump and its label: a hierarchy.
    forests: SecondaryMap<Node, Option<CycleForest>>,
    /// By node: which part of the statement around it it is.
    parts: SecondaryMap<Node, u32>,
}

/// Where a thread is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Tangles {
    /// Under what the body is executed.
    call: Key,
    /// The statements that it is in, outermost first.
    statements: Vec<Entered>,
    /// The key of the latest step.
    last: Key,
}

/// A statement that a thread is in.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Entered {
    statement: Node,
    /// Under what its parts are executed.
    chain: Key,
    /// Of a loop: the chain outside of iterations.
    outside: Key,
    /// Of a loop: which iteration it is in.
    nth: u32,
    /// United: the latest executions of headers among its parts, outermost cycle first.
    headers: Vec<(Cycle, Key)>,
}

pub(super) struct Chains<'a> {
    pub(super) outline: &'a Outline,
    pub(super) interner: &'a mut Interner,
    pub(super) jumps: &'a Jumps,
}

impl Tangles {
    pub(super) fn new(call: Key) -> Tangles {
        Tangles { call, statements: Vec::new(), last: call }
    }

    /// As it is seen looking ahead.
    pub(super) fn see(&mut self, interner: &mut Interner) {
        (self.call, self.last) = (interner.seen(self.call), interner.seen(self.last));
        for entered in &mut self.statements {
            (entered.chain, entered.outside) = (interner.seen(entered.chain), interner.seen(entered.outside));
            if entered.nth > 0 {
                entered.nth = interner.iteration(entered.statement, entered.outside, entered.nth).1;
            }
            entered.headers.iter_mut().for_each(|(_, key)| *key = interner.seen(*key));
        }
    }
}

impl Entered {
    fn new(statement: Node, chain: Key, nth: u32) -> Entered {
        Entered { statement, chain, outside: chain, nth, headers: Vec::new() }
    }
}

enum Jump {
    Goto,
    Switch,
}

impl Chains<'_> {
    pub(super) fn step(&mut self, thread: &mut Tangles, from: Option<Node>, node: Node) -> Key {
        let again = match from.and_then(|from| self.jump(from, node)) {
            Some(jump) => self.jumped(thread, jump, node),
            None => {
                while thread.statements.pop_if(|entered| !self.is_inside(node, entered.statement)).is_some() {}
                if let Some(entered) = thread.statements.last_mut()
                    && iteration_start(self.outline, entered.statement) == Some(node)
                {
                    self.iterate(entered);
                }
                None
            }
        };
        let under = again.unwrap_or_else(|| self.under(thread, node));
        if self.outline.parts(node).next().is_some() {
            thread.statements.push(Entered::new(node, under, 0));
        }
        let key = self.interner.key(Shape::Executed { node, under });
        thread.last = key;
        key
    }

    /// How a step jumps, if it does.
    fn jump(&self, from: Node, to: Node) -> Option<Jump> {
        match (self.outline.kind(from), self.outline.kind(to)) {
            (NodeKind::Goto(_), _) => Some(Jump::Goto),
            (NodeKind::Expression | NodeKind::Evaluation, NodeKind::Case(_)) => {
                let parent = self.outline.parent(self.outline.full_expression(from))?;
                matches!(self.outline.kind(parent), NodeKind::Switch { .. } if self.is_inside(to, parent))
                    .then_some(Jump::Switch)
            }
            _ => None,
        }
    }

    /// Goes to a label: into the statements around it that the thread is not in. Says under what the body of a loop is executed that is jumped back to.
    fn jumped(&mut self, thread: &mut Tangles, jump: Jump, to: Node) -> Option<Key> {
        while thread.statements.pop_if(|entered| !self.is_inside(to, entered.statement)).is_some() {}
        let smallest = thread.statements.last_mut()?;
        if let Jumps::Apart = self.jumps {
            let under = match jump {
                Jump::Goto => thread.last,
                Jump::Switch => smallest.chain,
            };
            let chain = self.interner.key(Shape::Jumped { to, under });
            if iteration_start(self.outline, smallest.statement).is_some() {
                return Some(chain);
            }
            smallest.chain = chain;
        }
        let smallest = smallest.statement;
        let mut around = Vec::new();
        let mut at = self.outline.parent(to);
        while let Some(statement) = at.filter(|&statement| statement != smallest) {
            around.push(statement);
            at = self.outline.parent(statement);
        }
        for statement in around.into_iter().rev() {
            let under = self.under(thread, statement);
            let mut entered = Entered::new(statement, under, 0);
            if iteration_start(self.outline, statement).is_some() {
                match self.jumps {
                    Jumps::Apart => entered.nth = 1,
                    Jumps::United(_) => self.iterate(&mut entered),
                }
            }
            thread.statements.push(entered);
        }
        None
    }

    /// Begins an iteration.
    fn iterate(&mut self, entered: &mut Entered) {
        entered.nth += 1;
        entered.headers.clear();
        (entered.chain, entered.nth) = self.interner.iteration(entered.statement, entered.outside, entered.nth);
    }

    /// Under what a part of the innermost statement that a thread is in is executed.
    fn under(&mut self, thread: &mut Tangles, part: Node) -> Key {
        let Some(entered) = thread.statements.last_mut() else { return thread.call };
        let Jumps::United(parts) = self.jumps else { return entered.chain };
        let Some(forest) = &parts.forests[entered.statement] else { return entered.chain };
        let element = Part::new(parts.parts[part] as usize);
        while entered.headers.last().is_some_and(|&(cycle, _)| !forest.contains(cycle, element)) {
            entered.headers.pop();
        }
        let under = entered.headers.last().map_or(entered.chain, |&(_, key)| key);
        let Some(innermost) = forest.innermost(element) else { return under };
        let key = self.interner.key(Shape::Jumped { to: part, under });
        if forest.cycles[innermost].header == element {
            entered.headers.pop_if(|&mut (latest, _)| latest == innermost);
            entered.headers.push((innermost, key));
        }
        key
    }

    /// Whether a node is a part of a statement, or of a part of it.
    fn is_inside(&self, node: Node, statement: Node) -> bool {
        statement < node && self.outline.contains(statement, node)
    }
}

impl Parts {
    /// O(edges), times the depth of statements if there is a backward jump, and the cost of the hierarchies.
    pub(super) fn new(outline: &Outline, flow: &Flow, order: SuccessorOrder) -> Parts {
        let mut edges: SecondaryMap<Node, Option<Vec<(Part, Part)>>> = SecondaryMap::new();
        let mut is_acyclic = true;
        for node in outline.nodes.keys() {
            if let NodeKind::Goto(label) = outline.kind(node)
                && label <= node
            {
                let mut around = outline.ancestors(label);
                if let Some(smallest) = around.find(|&outer| outline.contains(outer, node)) {
                    edges[smallest].get_or_insert_default();
                    is_acyclic = false;
                }
            }
        }
        let mut found = Parts::default();
        if is_acyclic {
            return found;
        }
        let mut counts: SecondaryMap<Node, u32> = SecondaryMap::new();
        for (node, data) in &outline.nodes {
            if let Some(parent) = data.parent() {
                counts[parent] += 1;
                found.parts[node] = counts[parent];
            }
        }
        for from in outline.nodes.keys() {
            flow.successors(from).iter().for_each(|&to| found.edge(outline, &mut edges, from, to));
        }
        for node in outline.nodes.keys() {
            found.forests[node] = edges[node].take().map(|edges| {
                let graph = Digraph::from_edges(counts[node] as usize + 1, Part::new(0), &edges);
                CycleForest::compute(&graph, order)
            });
        }
        found
    }

    /// Adds a step to the graph of the smallest statement that contains it, and as an entry to those that it goes into.
    fn edge(&self, outline: &Outline, edges: &mut SecondaryMap<Node, Option<Vec<(Part, Part)>>>, from: Node, to: Node) {
        let part = |node: Node| Part::new(self.parts[node] as usize);
        let mut entered = to;
        while let Some(outer) = outline.parent(entered) {
            // What one iteration does is what counts for the parts of a loop.
            let is_iteration =
                !matches!(outline.kind(from), NodeKind::Goto(_)) && iteration_start(outline, outer) == Some(entered);
            if let Some(edges) = &mut edges[outer] {
                let mut source = None;
                let mut at = from;
                while let Some(parent) = outline.parent(at).filter(|_| at != outer) {
                    source = (parent == outer).then_some(at);
                    at = parent;
                }
                let source = source.filter(|_| !is_iteration).map_or(Part::new(0), part);
                edges.push((source, part(entered)));
            }
            entered = outer;
            if outline.contains(outer, from) {
                break;
            }
        }
    }
}
