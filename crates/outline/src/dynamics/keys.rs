//! Keys: steps of different threads are converged iff their keys are equal.
//!
//! **Definition**, for the models whose rules are a nest of [contexts](super::contexts). `α` is the call that started this execution of the function ("Function body"). Write
//! `c(X)` for the context of a node. The key of an execution of a context is
//!
//! - of the body: `(α)`;
//! - of the `n`-th iteration of a reducible loop `W`: `(W, key of the execution of c(W), n)` ("Iteration Statement");
//! - of a choice context with base `B` in a context `O`: `solo`: different from all others; `maximal`: `(B, h)`, where `h` is the key of the latest execution, in this execution
//!   of `O`, of a header of a cycle that contains it in the [level](super::levels) of `O`, or of the execution of `O` itself when there is none ("Implementation-defined Convergence").
//!
//! The key of a step at `X` is that of the execution of `c(X)` when `X` is the base of that choice, else `(X, key of the execution of c(X))` ("Sequential Execution", "Jump Statements").
//! A thread that jumps into a base begins an execution of the context there. An evaluation in a full expression has the context of its statement, so that threads that are converged there are converged at
//! the evaluation where both come to it ("Convergence").
//!
//! Readings of the 2025-04 text that the definition settles: a statement in the span of a backward `goto`, or marked `noconvergent`, is implementation-defined also where it is the
//! body of a reducible loop; the iterations of that loop are as defined as those of others: threads converged where an iteration begins, that do not leave its body, are converged
//! at its end.
//!
//! For tangles, see `tangles.rs`.
//!
//! **Invariants.** Within a thread all keys are distinct; *convergence-before* is acyclic; steps at `S` that are converged are so at the nodes in `S` for which the text says so.
//!
//! **Algorithm.** Keys are hash-consed. A thread keeps the executions of contexts that it is in, outermost first. A step costs O(1) amortised, plus the contexts that a jump enters at once.

use reconverge_graph::{Cycle, SuccessorOrder};
use reconverge_semantics::Key;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::contexts::{Context, ContextKind, Contexts};
use super::flow::Flow;
use super::levels::Levels;
use super::tangles::{Chains, Jumps, Parts, Tangles};
use crate::SourceModel;
use crate::convergence::{Analysis, Start};
use crate::{Node, Outline};

/// By which rules threads are converged, and what is done where these leave it to the implementation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Model {
    /// "Thread Convergence", 2025-04.
    Clang2025_04(Choice),
    /// "Thread Convergence" with tangles, 2024-10.
    Tangles2024_10(Unrelated),
    /// "Language Specification for Convergence Control", 2025-08. It does not speak of cycles made by `goto`, of jumps into loops, nor of an order: there this is the choice.
    Clang2025_08(Choice),
}

/// What an implementation does where it may choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Choice {
    /// No threads are converged.
    Solo,
    /// Threads are converged by the headers of cycles, of which there may be several choices: those that are met first in this order.
    Maximal(SuccessorOrder),
}

/// What an implementation does with unrelated tangles at one statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unrelated {
    /// They stay apart.
    Apart,
    /// They are united ("Maximal Convergence"), by headers that are met first in this order.
    United(SuccessorOrder),
}

impl Model {
    /// All of them.
    pub const ALL: [Model; 9] = {
        use Choice::{Maximal, Solo};
        use SuccessorOrder::{Forward, Reverse};
        [
            Model::Clang2025_04(Solo),
            Model::Clang2025_04(Maximal(Forward)),
            Model::Clang2025_04(Maximal(Reverse)),
            Model::Tangles2024_10(Unrelated::Apart),
            Model::Tangles2024_10(Unrelated::United(Forward)),
            Model::Tangles2024_10(Unrelated::United(Reverse)),
            Model::Clang2025_08(Solo),
            Model::Clang2025_08(Maximal(Forward)),
            Model::Clang2025_08(Maximal(Reverse)),
        ]
    };

    /// Where threads come to a body from the same call or launch, the activations of so many of them ([`Keys::thread`]).
    pub fn activations(self, start: Start, threads: u32) -> impl Iterator<Item = u32> {
        use Model::{Clang2025_04, Clang2025_08, Tangles2024_10};
        let is_apart = match (start, self) {
            (Start::Converged, _) => false,
            (Start::Alone, _) => true,
            (_, Clang2025_04(choice) | Clang2025_08(choice)) => choice == Choice::Solo,
            (_, Tangles2024_10(unrelated)) => unrelated == Unrelated::Apart,
        };
        (0..threads).map(move |thread| if is_apart { thread } else { 0 })
    }

    /// The text.
    pub fn source(self) -> SourceModel {
        match self {
            Model::Clang2025_04(_) => SourceModel::Clang2025_04,
            Model::Tangles2024_10(_) => SourceModel::Tangles2024_10,
            Model::Clang2025_08(_) => SourceModel::Clang2025_08,
        }
    }
}

/// The rules of a model for one body.
#[derive(Debug)]
pub struct Rules<'a> {
    outline: &'a Outline,
    kind: RulesKind,
}

#[derive(Debug)]
enum RulesKind {
    Nest(Nest),
    Tangles(Jumps),
}

#[derive(Debug)]
struct Nest {
    contexts: Contexts,
    /// None: nobody is converged.
    levels: Option<Levels>,
}

impl<'a> Rules<'a> {
    /// Of `analysis` only the reducibility of loops is used, which is the same for all texts. O((nodes + edges) · log) in most bodies; see [`Contexts`] and `Levels`.
    pub fn new(outline: &'a Outline, analysis: &Analysis, model: Model) -> Rules<'a> {
        let kind = match model {
            Model::Tangles2024_10(Unrelated::Apart) => RulesKind::Tangles(Jumps::Apart),
            Model::Tangles2024_10(Unrelated::United(order)) => {
                RulesKind::Tangles(Jumps::United(Parts::new(outline, &Flow::new(outline), order)))
            }
            Model::Clang2025_04(choice) | Model::Clang2025_08(choice) => {
                let contexts = Contexts::new(outline, |node| analysis.entered[node].is_none(), model.source());
                let levels = match choice {
                    Choice::Solo => None,
                    Choice::Maximal(order) => Some(Levels::new(outline, &Flow::new(outline), &contexts, order)),
                };
                RulesKind::Nest(Nest { contexts, levels })
            }
        };
        Rules { outline, kind }
    }

    /// The contexts of nodes; none for tangles, whose rules follow the statements a thread is in.
    pub fn contexts(&self) -> Option<&Contexts> {
        match &self.kind {
            RulesKind::Nest(nest) => Some(&nest.contexts),
            RulesKind::Tangles(_) => None,
        }
    }
}

/// What a key stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Shape {
    /// An execution of the body.
    Body { activation: u32 },
    /// A node under an execution of its context, or the base of a choice under a header.
    Executed { node: Node, under: Key },
    /// An iteration.
    Iteration { repeats: Node, under: Key, nth: u32 },
    /// A tangle that a jump to a label or a `case` set apart.
    Jumped { to: Node, under: Key },
    /// What one thread does alone.
    Solo { nth: u32 },
}

/// Hash-consed keys.
#[derive(Debug, Default)]
pub(super) struct Interner {
    keys: FxHashMap<Shape, Key>,
    solo: u32,
}

impl Interner {
    pub(super) fn key(&mut self, shape: Shape) -> Key {
        let next = Key(self.keys.len() as u32);
        *self.keys.entry(shape).or_insert(next)
    }

    fn solo(&mut self) -> Key {
        self.solo += 1;
        let nth = self.solo;
        self.key(Shape::Solo { nth })
    }
}

/// Gives keys to the steps of any number of threads.
#[derive(Debug)]
pub struct Keys<'a> {
    rules: &'a Rules<'a>,
    interner: Interner,
}

/// Where a thread is, as far as it decides the keys to come.
#[derive(Debug, Clone)]
pub struct Thread {
    place: Place,
    last: Option<Node>,
}

#[derive(Debug, Clone)]
enum Place {
    /// The executions of contexts that it is in, outermost first: that of a context of depth `d` at position `d`.
    Nest(Vec<Frame>),
    Tangles(Tangles),
}

/// An execution of a context.
#[derive(Debug, Clone)]
struct Frame {
    context: Context,
    key: Key,
    /// The number of the iteration; 1 for other contexts.
    nth: u32,
    /// The latest executions of headers of the cycles of its level, outermost first.
    headers: SmallVec<[(Cycle, Key); 1]>,
}

impl<'a> Keys<'a> {
    /// No keys yet.
    pub fn new(rules: &'a Rules<'a>) -> Keys<'a> {
        Keys { rules, interner: Interner::default() }
    }

    /// A thread at the call of the function. Threads are converged at the start of the body iff `activation` is the same.
    pub fn thread(&mut self, activation: u32) -> Thread {
        let key = self.interner.key(Shape::Body { activation });
        let place = match &self.rules.kind {
            RulesKind::Nest(_) => Place::Nest(vec![Frame::new(Context::from_u32(0), key, 1)]),
            RulesKind::Tangles(_) => Place::Tangles(Tangles::new(key)),
        };
        Thread { place, last: None }
    }

    /// The thread makes a step: its key. The steps have to be a walk ([`check_walk`](super::check_walk)); on others the keys mean nothing.
    pub fn step(&mut self, thread: &mut Thread, node: Node) -> Key {
        let from = thread.last.replace(node);
        let (outline, interner) = (self.rules.outline, &mut self.interner);
        match (&mut thread.place, &self.rules.kind) {
            (Place::Nest(frames), RulesKind::Nest(nest)) => nest.step(outline, interner, frames, from, node),
            (Place::Tangles(tangles), RulesKind::Tangles(jumps)) => {
                Chains { outline, interner, jumps }.step(tangles, from, node)
            }
            _ => unreachable!("the thread is one of these keys"),
        }
    }

    /// The keys of a walk.
    pub fn walk(&mut self, activation: u32, walk: &[Node]) -> Vec<Key> {
        let mut thread = self.thread(activation);
        walk.iter().map(|&node| self.step(&mut thread, node)).collect()
    }
}

impl Frame {
    fn new(context: Context, key: Key, nth: u32) -> Frame {
        Frame { context, key, nth, headers: SmallVec::new() }
    }
}

impl Nest {
    fn step(
        &self,
        outline: &Outline,
        keys: &mut Interner,
        frames: &mut Vec<Frame>,
        from: Option<Node>,
        to: Node,
    ) -> Key {
        let contexts = &self.contexts.contexts;
        let target = self.contexts.of[to];
        let mut iterations = 0;
        if let Some(restarted) = self.contexts.restarted(outline, from, to) {
            let depth = contexts[restarted].depth as usize;
            iterations = frames.get(depth).filter(|frame| frame.context == restarted).map_or(0, |frame| frame.nth);
            frames.truncate(depth);
        }
        frames.truncate(contexts[target].depth as usize + 1);
        // The contexts that it enters, innermost first.
        let mut entered: SmallVec<[Context; 4]> = SmallVec::new();
        let mut context = target;
        while frames.get(contexts[context].depth as usize).is_none_or(|frame| frame.context != context) {
            entered.push(context);
            match contexts[context].outer {
                Some(outer) => context = outer,
                None => break,
            }
        }
        frames.truncate(contexts[context].depth as usize + 1);
        for context in entered.into_iter().rev() {
            self.enter(keys, frames, context, iterations + 1);
            iterations = 0;
        }
        let key = frames[frames.len() - 1].key;
        if contexts[target].kind == ContextKind::Choice(to) {
            return key;
        }
        keys.key(Shape::Executed { node: to, under: key })
    }

    fn enter(&self, keys: &mut Interner, frames: &mut Vec<Frame>, context: Context, nth: u32) {
        let Some(outer) = frames.last_mut() else { return };
        let key = match self.contexts.contexts[context].kind {
            ContextKind::Body => outer.key,
            ContextKind::Iteration(repeats) => keys.key(Shape::Iteration { repeats, under: outer.key, nth }),
            ContextKind::Choice(base) => match &self.levels {
                None => keys.solo(),
                Some(levels) => self.choose(keys, outer, levels, context, base),
            },
        };
        frames.push(Frame::new(context, key, nth));
    }

    /// Converged by the latest header.
    fn choose(&self, keys: &mut Interner, outer: &mut Frame, levels: &Levels, context: Context, base: Node) -> Key {
        let Some((forest, element)) = levels.level_of(&self.contexts, context) else { return keys.solo() };
        while outer.headers.last().is_some_and(|&(cycle, _)| !forest.contains(cycle, element)) {
            outer.headers.pop();
        }
        let under = outer.headers.last().map_or(outer.key, |&(_, key)| key);
        let key = keys.key(Shape::Executed { node: base, under });
        if let Some(cycle) = forest.innermost(element).filter(|&cycle| forest.cycles[cycle].header == element) {
            if outer.headers.last().is_some_and(|&(latest, _)| latest == cycle) {
                outer.headers.pop();
            }
            outer.headers.push((cycle, key));
        }
        key
    }
}
