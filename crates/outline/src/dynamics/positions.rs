//! Where threads are while they run, by the rules of a text: for an executor that has to know who is together, and whether somebody can still come.
//!
//! **Definition.** A *position* is what decides the keys of all steps to come: the body that a thread executes, its latest step, and the executions that it is in. Two threads are converged at a step iff their
//! positions there have equal keys ([`Keys`](super::Keys)). A thread *can come* to a position if some way through the statements leads it to a step with the key of that position; a condition can have any value, as in [`Flow`].
//!
//! **Algorithm.** Positions are hash-consed, and a step from one of them is remembered, so that threads that go the same way share the work. Whether a thread can come is a search through the steps with keys as they
//! are seen looking ahead to the one that is asked for (`Interner`): finitely many positions, at most the nodes times the iterations "before" and "wanted" of the loops around them. Answers are
//! remembered, too: they follow from the two positions alone.

use reconverge_semantics::Key;
use rustc_hash::{FxHashMap, FxHashSet};

use super::flow::Flow;
use super::keys::{Interner, Model, Rules, Thread};
use crate::convergence::Analysis;
use crate::{Node, Outline};

/// A position; of the [`Positions`] that it is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position(u32);

/// The positions of any number of threads in a program.
#[derive(Debug)]
pub struct Positions<'a> {
    bodies: Vec<Body<'a>>,
    interner: Interner,
    places: Vec<Place>,
    known: FxHashMap<(usize, Thread), Position>,
    steps: FxHashMap<(Position, Node), Option<Position>>,
    answers: FxHashMap<(Position, Key), bool>,
}

/// A body, as the positions of threads need it.
#[derive(Debug)]
struct Body<'a> {
    outline: &'a Outline,
    rules: Rules<'a>,
    flow: Flow,
    is_told: fn(&Outline, Node) -> bool,
}

#[derive(Debug)]
struct Place {
    body: usize,
    thread: Thread,
    /// Of the latest step; none at the call.
    key: Option<Key>,
}

impl<'a> Positions<'a> {
    /// Of no body yet.
    pub fn new() -> Positions<'a> {
        let (known, steps, answers) = Default::default();
        Positions { bodies: Vec::new(), interner: Interner::default(), places: Vec::new(), known, steps, answers }
    }

    /// Adds a body, and says its number. What `is_told` holds for is told to [`Positions::pass`].
    pub fn add(
        &mut self,
        outline: &'a Outline,
        analysis: &Analysis,
        model: Model,
        is_told: fn(&Outline, Node) -> bool,
    ) -> usize {
        let (rules, flow) = (Rules::new(outline, analysis, model), Flow::new(outline));
        self.bodies.push(Body { outline, rules, flow, is_told });
        self.bodies.len() - 1
    }

    /// How much is kept: it grows as threads go on.
    pub fn len(&self) -> usize {
        self.interner.len() + self.places.len()
    }

    /// Whether no thread has begun.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Whether threads that go the same way may have different positions, because the implementation lets them be alone.
    pub fn tells_threads_apart(&self, body: usize) -> bool {
        self.bodies[body].rules.tells_threads_apart()
    }

    /// A thread at the call of a body. Threads are converged at its start iff `activation` is the same, which is another one for each body. The number is that of the thread, where threads are [told
    /// apart](Positions::tells_threads_apart).
    pub fn start(&mut self, body: usize, activation: u64, number: u32) -> Position {
        let thread = self.bodies[body].rules.thread(&mut self.interner, activation, number);
        self.position(body, thread, None)
    }

    /// A thread comes to a node of which positions are told, past others. None where there is no way.
    pub fn pass(&mut self, at: Position, node: Node) -> Option<Position> {
        if let Some(&known) = self.steps.get(&(at, node)) {
            return known;
        }
        let Place { body, thread, .. } = &self.places[at.0 as usize];
        let (number, mut thread) = (*body, thread.clone());
        let Body { outline, rules, flow, is_told } = &self.bodies[number];
        let between = flow.between(thread.last(), node, |node| !is_told(outline, node));
        let keys = between.map(|between| {
            between.into_iter().chain([node]).map(|node| rules.step(&mut self.interner, &mut thread, node)).last()
        });
        let next = keys.map(|key| self.position(number, thread, key));
        self.steps.insert((at, node), next);
        next
    }

    /// The body that a position is in.
    pub fn body(&self, at: Position) -> usize {
        self.places[at.0 as usize].body
    }

    /// The key of the latest step; none at the call.
    pub fn key(&self, at: Position) -> Option<Key> {
        self.places[at.0 as usize].key
    }

    /// Whether a thread that has made the latest step of a position can come to a step with the key of another position, by at least one step more.
    pub fn can_come(&mut self, from: Position, to: Position) -> bool {
        let Some(wanted) = self.key(to) else { return false };
        if let Some(&known) = self.answers.get(&(from, wanted)) {
            return known;
        }
        let Place { body, thread, .. } = &self.places[from.0 as usize];
        let Body { outline, rules, flow, .. } = &self.bodies[*body];
        let answer = self.interner.look_ahead(wanted, |interner| {
            let start = rules.seen(interner, thread);
            let mut seen = FxHashSet::from_iter([start.clone()]);
            let mut pending = vec![start];
            while let Some(thread) = pending.pop() {
                let first = [outline.body()];
                let next = thread.last().map_or(&first[..], |last| flow.successors(last));
                for &node in next {
                    let mut thread = thread.clone();
                    if rules.step(interner, &mut thread, node) == wanted {
                        return true;
                    }
                    if seen.insert(thread.clone()) {
                        pending.push(thread);
                    }
                }
            }
            false
        });
        self.answers.insert((from, wanted), answer);
        answer
    }

    fn position(&mut self, body: usize, thread: Thread, key: Option<Key>) -> Position {
        let next = Position(self.places.len() as u32);
        *self.known.entry((body, thread)).or_insert_with_key(|(_, thread)| {
            self.places.push(Place { body, thread: thread.clone(), key });
            next
        })
    }
}

impl Default for Positions<'_> {
    fn default() -> Self {
        Positions::new()
    }
}
