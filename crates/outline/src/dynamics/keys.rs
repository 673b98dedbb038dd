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
use rustc_hash::{FxHashMap, FxHashSet};
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

    /// Whether threads have choices in which nobody is with them, so that they are told apart.
    pub(super) fn tells_threads_apart(&self) -> bool {
        matches!(&self.kind, RulesKind::Nest(Nest { levels: None, .. }))
    }

    /// The thread with this number at the call of the function.
    pub(super) fn thread(&self, interner: &mut Interner, activation: u64, number: u32) -> Thread {
        let key = interner.key(Shape::Body { activation });
        let place = match &self.kind {
            RulesKind::Nest(_) => Place::Nest(vec![Frame::new(Context::from_u32(0), key, 1)]),
            RulesKind::Tangles(_) => Place::Tangles(Tangles::new(key)),
        };
        Thread { place, last: None, alone: Alone { thread: number, choices: 0 } }
    }

    /// A thread makes a step.
    pub(super) fn step(&self, interner: &mut Interner, thread: &mut Thread, node: Node) -> Key {
        let from = thread.last.replace(node);
        let outline = self.outline;
        match (&mut thread.place, &self.kind) {
            (Place::Nest(frames), RulesKind::Nest(nest)) => {
                Nested { nest, outline, keys: interner, alone: &mut thread.alone }.step(frames, from, node)
            }
            (Place::Tangles(tangles), RulesKind::Tangles(jumps)) => {
                Chains { outline, interner, jumps }.step(tangles, from, node)
            }
            _ => unreachable!("the thread is one of these keys"),
        }
    }

    /// A thread as it is seen looking ahead.
    pub(super) fn seen(&self, interner: &mut Interner, thread: &Thread) -> Thread {
        let mut seen = Thread { alone: Alone::default(), ..thread.clone() };
        match (&mut seen.place, &self.kind) {
            (Place::Nest(frames), RulesKind::Nest(nest)) => {
                let mut under = ELSEWHERE;
                for frame in frames {
                    if let ContextKind::Iteration(repeats) = nest.contexts.contexts[frame.context].kind {
                        frame.nth = interner.iteration(repeats, under, frame.nth).1;
                    }
                    frame.key = interner.seen(frame.key);
                    frame.headers.iter_mut().for_each(|(_, key)| *key = interner.seen(*key));
                    under = frame.key;
                }
            }
            (Place::Tangles(tangles), _) => tangles.see(interner),
            _ => unreachable!("the thread is one of these keys"),
        }
        seen
    }
}

impl Thread {
    /// Its latest step; none at the call.
    pub(super) fn last(&self) -> Option<Node> {
        self.last
    }
}

/// What a key stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Shape {
    /// An execution of the body.
    Body { activation: u64 },
    /// A node under an execution of its context, or the base of a choice under a header.
    Executed { node: Node, under: Key },
    /// An iteration.
    Iteration { repeats: Node, under: Key, nth: u32 },
    /// A tangle that a jump to a label or a `case` set apart.
    Jumped { to: Node, under: Key },
    /// What one thread does alone.
    Solo { thread: u32, nth: u32 },
}

impl Shape {
    /// The key that it is made of.
    fn under(self) -> Option<Key> {
        match self {
            Shape::Body { .. } | Shape::Solo { .. } => None,
            Shape::Executed { under, .. } | Shape::Iteration { under, .. } | Shape::Jumped { under, .. } => Some(under),
        }
    }
}

/// Hash-consed keys.
///
/// *Looking ahead* to one key, all keys that it is not made of are one, [`ELSEWHERE`], and of the iterations of a loop there are three: the one that it is made of, the one before, which stands for
/// all that come earlier, and [`PAST`]. So there are finitely many of them, and a thread comes to the key iff there is a way to it with these.
#[derive(Debug, Default)]
pub(super) struct Interner {
    keys: FxHashMap<Shape, Key>,
    /// By key.
    shapes: Vec<Shape>,
    /// What the key is made of that is looked ahead to.
    ahead: Option<FxHashSet<Key>>,
}

/// What does not lead to the key that is looked ahead to.
const ELSEWHERE: Key = Key(u32::MAX);
/// An iteration that does not lead to it, nor do those that follow.
const PAST: u32 = u32::MAX - 1;

impl Interner {
    pub(super) fn key(&mut self, shape: Shape) -> Key {
        if let Some(ahead) = &self.ahead {
            return self.keys.get(&shape).copied().filter(|key| ahead.contains(key)).unwrap_or(ELSEWHERE);
        }
        let next = Key(self.shapes.len() as u32);
        let key = *self.keys.entry(shape).or_insert(next);
        if key == next {
            self.shapes.push(shape);
        }
        key
    }

    /// An iteration of a loop, and the number to count on from.
    pub(super) fn iteration(&mut self, repeats: Node, under: Key, nth: u32) -> (Key, u32) {
        let Some(ahead) = &self.ahead else { return (self.key(Shape::Iteration { repeats, under, nth }), nth) };
        let wanted = ahead.iter().filter_map(|&key| match self.shapes[key.0 as usize] {
            Shape::Iteration { repeats: of, under: outer, nth } if (of, outer) == (repeats, under) => Some(nth),
            _ => None,
        });
        match wanted.filter(|&wanted| nth <= wanted).min() {
            Some(wanted) if wanted == nth => (self.key(Shape::Iteration { repeats, under, nth }), nth),
            Some(wanted) => (ELSEWHERE, wanted - 1),
            None => (ELSEWHERE, PAST),
        }
    }

    fn solo(&mut self, alone: &mut Alone) -> Key {
        if self.ahead.is_some() {
            // No other thread has it.
            return ELSEWHERE;
        }
        alone.choices += 1;
        self.key(Shape::Solo { thread: alone.thread, nth: alone.choices })
    }

    /// How many keys there are.
    pub(super) fn len(&self) -> usize {
        self.shapes.len()
    }

    /// Looks ahead to a key, for as long as `look` does.
    pub(super) fn look_ahead<T>(&mut self, to: Key, look: impl FnOnce(&mut Interner) -> T) -> T {
        let shape = |key: &Key| self.shapes[key.0 as usize].under();
        self.ahead = Some(std::iter::successors(Some(to), shape).collect());
        let seen = look(self);
        self.ahead = None;
        seen
    }

    /// A key as it is seen looking ahead.
    pub(super) fn seen(&self, key: Key) -> Key {
        if self.ahead.as_ref().is_none_or(|ahead| ahead.contains(&key)) { key } else { ELSEWHERE }
    }
}

/// How often a thread had a choice in which it is alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
struct Alone {
    thread: u32,
    choices: u32,
}

/// Gives keys to the steps of any number of threads.
#[derive(Debug)]
pub struct Keys<'a> {
    rules: &'a Rules<'a>,
    interner: Interner,
    threads: u32,
}

/// Where a thread is, as far as it decides the keys to come.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Thread {
    place: Place,
    last: Option<Node>,
    alone: Alone,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Place {
    /// The executions of contexts that it is in, outermost first: that of a context of depth `d` at position `d`.
    Nest(Vec<Frame>),
    Tangles(Tangles),
}

/// An execution of a context.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
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
        Keys { rules, interner: Interner::default(), threads: 0 }
    }

    /// A thread at the call of the function. Threads are converged at the start of the body iff `activation` is the same.
    pub fn thread(&mut self, activation: u32) -> Thread {
        self.threads += 1;
        self.rules.thread(&mut self.interner, u64::from(activation), self.threads)
    }

    /// The thread makes a step: its key. The steps have to be a walk ([`check_walk`](super::check_walk)); on others the keys mean nothing.
    pub fn step(&mut self, thread: &mut Thread, node: Node) -> Key {
        self.rules.step(&mut self.interner, thread, node)
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

/// A thread in a nest of contexts.
struct Nested<'n> {
    nest: &'n Nest,
    outline: &'n Outline,
    keys: &'n mut Interner,
    alone: &'n mut Alone,
}

impl Nested<'_> {
    fn step(&mut self, frames: &mut Vec<Frame>, from: Option<Node>, to: Node) -> Key {
        let nest = self.nest;
        let contexts = &nest.contexts.contexts;
        let target = nest.contexts.of[to];
        let mut iterations = 0;
        if let Some(restarted) = nest.contexts.restarted(self.outline, from, to) {
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
            self.enter(frames, context, iterations + 1);
            iterations = 0;
        }
        let key = frames[frames.len() - 1].key;
        if contexts[target].kind == ContextKind::Choice(to) {
            return key;
        }
        self.keys.key(Shape::Executed { node: to, under: key })
    }

    fn enter(&mut self, frames: &mut Vec<Frame>, context: Context, nth: u32) {
        let Some(outer) = frames.last_mut() else { return };
        let (key, nth) = match self.nest.contexts.contexts[context].kind {
            ContextKind::Body => (outer.key, 1),
            ContextKind::Iteration(repeats) => self.keys.iteration(repeats, outer.key, nth),
            ContextKind::Choice(base) => match &self.nest.levels {
                None => (self.keys.solo(self.alone), 1),
                Some(levels) => (self.choose(outer, levels, context, base), 1),
            },
        };
        frames.push(Frame::new(context, key, nth));
    }

    /// Converged by the latest header.
    fn choose(&mut self, outer: &mut Frame, levels: &Levels, context: Context, base: Node) -> Key {
        let Some((forest, element)) = levels.level_of(&self.nest.contexts, context) else {
            return self.keys.solo(self.alone);
        };
        while outer.headers.last().is_some_and(|&(cycle, _)| !forest.contains(cycle, element)) {
            outer.headers.pop();
        }
        let under = outer.headers.last().map_or(outer.key, |&(_, key)| key);
        let key = self.keys.key(Shape::Executed { node: base, under });
        if let Some(cycle) = forest.innermost(element).filter(|&cycle| forest.cycles[cycle].header == element) {
            if outer.headers.last().is_some_and(|&(latest, _)| latest == cycle) {
                outer.headers.pop();
            }
            outer.headers.push((cycle, key));
        }
        key
    }
}
