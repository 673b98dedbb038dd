//! The evaluations of a full expression.
//!
//! **Definition.** A full expression is its first *evaluation*; the others, if there are any, are its parts, in the order in which they are made. An evaluation is that of
//! a convergent operation with everything that is evaluated since the one before, or that of an operand on whose value it depends which evaluations follow: the first one of `&&`, `||` and
//! `?:`. Behind it comes the evaluation that [`Outline::next`](crate::Outline::next) says for its value; so those of a condition also say which values the condition can have. An evaluation is
//! made at most once in an execution of its full expression, as all lead on to later ones.
//!
//! Whether a thread makes an evaluation is up to the operands; with whom it does, is not. Threads that are together in the smallest statement around an expression are together in the
//! expression, as far as they come to it (2025-04, "Convergence"; 2024-10, "Expressions"; 2025-08, "Statements", of what is inside of a statement). So the place of an evaluation is that of its
//! full expression.
//!
//! **Algorithm.** [`Evaluations`] is told what is evaluated, in order, and when an operand decides. It keeps the ways out of what was evaluated last, by the value, until it is known
//! where they lead. What decides nothing in the end is left out. O(n log n).

use crate::{Location, Operation};

/// Where a thread goes on behind an evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next<E> {
    /// To another evaluation of the full expression.
    Evaluation(E),
    /// The full expression ends; if it is a condition, with this value. Of others, the value is `true`.
    End(bool),
}

impl<E> Next<E> {
    /// The same with another name for the evaluation.
    pub(crate) fn map<F>(self, rename: impl FnOnce(E) -> F) -> Next<F> {
        match self {
            Next::Evaluation(evaluation) => Next::Evaluation(rename(evaluation)),
            Next::End(value) => Next::End(value),
        }
    }
}

/// Where threads go on behind an evaluation whose value is `false`, and behind one whose value is `true`.
pub(crate) type Ways<E> = [Next<E>; 2];

/// What is evaluated behind what ends a full expression in any case.
pub(crate) const LAST: Ways<crate::Node> = [Next::End(false), Next::End(true)];

/// An evaluation of the full expression that is being put together.
#[derive(Debug)]
pub(crate) struct Evaluation {
    pub(crate) operation: Option<Operation>,
    pub(crate) location: Location,
    pub(crate) next: Ways<usize>,
}

/// A way out of an evaluation that leads nowhere yet: the one for this value.
type Loose = (usize, bool);

/// Puts together the evaluations of a full expression. For
///
/// - `a && b`: `a`, [`only_if(true)`](Evaluations::only_if), `b`, [`join`](Evaluations::join);
/// - `a || b`: the same with `only_if(false)`;
/// - `a ? b : c`: `a`, `only_if(true)`, `b`, [`otherwise`](Evaluations::otherwise), `c`, `join`;
/// - `!a`: `a`, [`negate`](Evaluations::negate);
/// - a convergent operation: its operands, [`operation`](Evaluations::operation);
/// - others: their operands.
///
/// The operands of the first four, and conditions, *decide*: unless an operand is one of these four, or a comma before one, [`decide`](Evaluations::decide) follows.
/// [`Builder::evaluations`](crate::Builder::evaluations) makes nodes of it all.
#[derive(Debug, Default)]
pub struct Evaluations {
    list: Vec<Evaluation>,
    /// The ways out of what was evaluated last: where its value is `false`, and where it is `true`. Before it decides, they are of either value.
    loose: [Vec<Loose>; 2],
    /// The ways out of operands, past what is evaluated now.
    past: Vec<[Vec<Loose>; 2]>,
}

impl Evaluations {
    /// Begins a full expression; what was there is forgotten.
    pub fn begin(&mut self, location: Location) {
        self.list.clear();
        self.past.clear();
        self.loose = [Vec::new(), Vec::new()];
        self.evaluate(None, location);
    }

    /// A convergent operation is evaluated.
    pub fn operation(&mut self, operation: Operation) {
        let location = operation.location;
        self.evaluate(Some(operation), location);
    }

    /// The value of what was evaluated last, at `location`, decides what comes next.
    pub fn decide(&mut self, location: Location) {
        let [no, yes] = &self.loose;
        let is_of_one = matches!((&no[..], &yes[..]), (&[(one, false)], &[(other, true)]) if one == other);
        if !is_of_one {
            self.evaluate(None, location);
        }
    }

    /// What follows is evaluated only where the value that decided last is this one.
    pub fn only_if(&mut self, value: bool) {
        let past = std::mem::take(&mut self.loose[usize::from(!value)]);
        self.past.push(if value { [past, Vec::new()] } else { [Vec::new(), past] });
    }

    /// Between the second and the third operand of `?:`.
    pub fn otherwise(&mut self) {
        if let Some(past) = self.past.last_mut() {
            std::mem::swap(past, &mut self.loose);
        }
    }

    /// Those who did not evaluate the last operand are back.
    pub fn join(&mut self) {
        for (here, mut past) in self.loose.iter_mut().zip(self.past.pop().into_iter().flatten()) {
            if here.len() < past.len() {
                std::mem::swap(here, &mut past);
            }
            here.append(&mut past);
        }
    }

    /// The value is the opposite of the one that decided last.
    pub fn negate(&mut self) {
        self.loose.reverse();
    }

    fn evaluate(&mut self, operation: Option<Operation>, location: Location) {
        let this = self.list.len();
        for (from, value) in self.loose.iter_mut().flat_map(|loose| loose.drain(..)) {
            self.list[from].next[usize::from(value)] = Next::Evaluation(this);
        }
        self.list.push(Evaluation { operation, location, next: [Next::End(false), Next::End(true)] });
        self.loose = [vec![(this, false)], vec![(this, true)]];
    }

    /// The evaluations that there are, with numbers that count them.
    pub(crate) fn finish(&mut self, is_condition: bool) -> impl Iterator<Item = Evaluation> {
        for (value, loose) in [false, true].into_iter().zip(&mut self.loose) {
            for (from, of) in loose.drain(..) {
                self.list[from].next[usize::from(of)] = Next::End(value || !is_condition);
            }
        }
        // What comes in the place of each evaluation, from the last one on: those behind it are done.
        let mut instead: Vec<Next<usize>> = (0..self.list.len()).map(Next::Evaluation).collect();
        for (number, evaluation) in self.list.iter_mut().enumerate().rev() {
            for next in &mut evaluation.next {
                if let Next::Evaluation(to) = *next {
                    *next = instead[to];
                }
            }
            if evaluation.operation.is_none() && evaluation.next[0] == evaluation.next[1] {
                instead[number] = evaluation.next[0];
            }
        }
        let mut left = 0;
        let stays: Vec<Option<usize>> = (instead.iter().enumerate())
            .map(|(number, &instead)| {
                let stays = instead == Next::Evaluation(number);
                left += usize::from(stays);
                stays.then(|| left - 1)
            })
            .collect();
        let mut numbers = stays.clone().into_iter();
        self.list.drain(..).filter(move |_| numbers.next().flatten().is_some()).map(move |mut evaluation| {
            evaluation.next = evaluation.next.map(|next| next.map(|to| stays[to].unwrap_or_default()));
            evaluation
        })
    }
}
