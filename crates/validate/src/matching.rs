//! Who communicated in two runs, and whether it is the same.
//!
//! *Matching.* An operation with effects is matched by thread and order: the k-th execution by a thread before with its k-th after;
//! all of them have to be there. An operation of which nothing but a result comes is matched as a whole: each execution
//! after the change has to be one before it, with the same threads and operands. So executions may be left out for all of their threads,
//! done twice, or change places, and nothing else: threads that leave an execution which others still do make another set of it.
//! Where a thread leaves one out and does another one twice, with the same operands and other threads, it has changed sets.
//!
//! *Order.* Of operations at which threads wait, or that may touch any memory, each thread executes the same ones in the same order. Others may change
//! places, since nothing in LLVM's rules orders operations that touch no memory: that is told, and no difference.
//!
//! What the target says of an operation widens that: one that may be hoisted may be executed by more threads, if those from before pass and
//! get what they did, and so on.
//!
//! *Up to a limit.* Where neither run came to its end, an operation with effects is matched as far as a thread executes it in both; of the others, each
//! execution after the change has to be one before it, if none of its threads executes the operation more often than before it.
//!
//! A value that is poison or undef before may be anything after.

use reconverge_analysis::target::MotionFacts;
use reconverge_exec::Communication;
use rustc_hash::FxHashMap;

use crate::anchors::is_anchored;
use crate::events::{Changed, Events, Operation, Operations, changed, first_changed, same_threads};

/// So many executions of an operation by each thread are looked at where runs do not end.
const SO_FAR: usize = 256;

/// A difference of two runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mismatch {
    pub(crate) operation: Operation,
    pub(crate) thread: u64,
    /// The communications before and after; none where the thread has no such.
    pub(crate) before: Option<u32>,
    pub(crate) after: Option<u32>,
    pub(crate) what: What,
}

/// What differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    Threads,
    Value(Changed),
    /// It is executed where another operation was.
    Order(Operation),
}

impl Mismatch {
    /// By what is looked at first: threads, then values; and where it happens.
    fn order(&self) -> (bool, Option<u32>, Option<u32>, u64) {
        let at = self.before.or(self.after);
        (self.what != What::Threads, at, self.after, self.thread)
    }
}

/// Two runs whose communications are compared.
pub(crate) struct Matching<'m> {
    pub(crate) operations: &'m Operations,
    pub(crate) before: &'m Events<'m>,
    pub(crate) after: &'m Events<'m>,
}

impl Matching<'_> {
    /// The differences, what matters most first; of each operation perhaps only the first ones.
    /// Executions of one operation that touches no memory may change places: the first that did is put into `swapped`.
    pub(crate) fn differences(&self, swapped: &mut Option<Mismatch>) -> Vec<Mismatch> {
        let mut found = Vec::new();
        for (operation, facts) in (0..).zip(&self.operations.facts) {
            if !facts.matched || self.is_same(operation) {
                continue;
            }
            if facts.pure {
                let used = self.whole(operation, facts.motion, &mut found);
                if swapped.is_none() {
                    *swapped = self.swapped(operation, &used);
                }
            } else {
                self.one_by_one(operation, usize::max, &mut found);
            }
        }
        found.sort_by_key(Mismatch::order);
        found
    }

    /// What differs first in two runs that a limit ended.
    pub(crate) fn difference_so_far(&self) -> Option<Mismatch> {
        let mut found = Vec::new();
        for (operation, facts) in (0..).zip(&self.operations.facts).filter(|(_, facts)| facts.matched) {
            match facts.pure {
                true => self.unknown(operation, facts.motion, &mut found),
                false => self.one_by_one(operation, usize::min, &mut found),
            }
        }
        found.into_iter().min_by_key(Mismatch::order)
    }

    /// The executions of an operation without effects that were none before, among those that the program before came to.
    fn unknown(&self, operation: Operation, motion: MotionFacts, found: &mut Vec<Mismatch>) {
        let before = self.before.with(operation);
        let mut by_set: FxHashMap<Vec<u64>, Vec<u32>> = FxHashMap::default();
        for &index in &before {
            by_set.entry(self.before.set(index)).or_default().push(index);
        }
        // By execution after the change: how many of its threads came so often to one before.
        let mut known: FxHashMap<u32, usize> = FxHashMap::default();
        for thread in 0..self.after.threads {
            let end = self.before.of(operation, thread).len().min(SO_FAR);
            self.after.of(operation, thread).iter().take(end).for_each(|&index| *known.entry(index).or_default() += 1);
        }
        let mut looked_at: Vec<u32> = known
            .into_iter()
            .filter(|&(index, count)| count == self.after.at(index).threads.len())
            .map(|(index, _)| index)
            .collect();
        looked_at.sort_unstable();
        for index in looked_at {
            let fits = |&other: &u32| first_changed((self.before, other), (self.after, index), true).is_none();
            let is_known = by_set.get(&self.after.set(index)).is_some_and(|same| same.iter().any(fits));
            if !is_known && !self.may_be_moved(operation, index, motion) {
                found.push(self.unmatched(operation, index, &before));
                return;
            }
        }
    }

    /// The first execution of an operation that a thread has after another one which came later before. `used`: for each before, the one after.
    fn swapped(&self, operation: Operation, used: &FxHashMap<u32, u32>) -> Option<Mismatch> {
        (0..self.before.threads).find_map(|thread| {
            let pairs = self.before.of(operation, thread).iter();
            let pairs: Vec<(u32, u32)> = pairs.filter_map(|&before| Some((before, *used.get(&before)?))).collect();
            let is_swapped = |pair: &&[(u32, u32)]| self.after.is_earlier(thread, pair[1].1, pair[0].1);
            let pair = pairs.windows(2).find(is_swapped)?;
            let (before, after, what) = (Some(pair[0].0), Some(pair[1].1), What::Order(operation));
            Some(Mismatch { operation, thread, before, after, what })
        })
    }

    /// The first operation that a thread executes where it executed another one before, if it executes as many of each. `ordered`: only of those that
    /// keep their places.
    pub(crate) fn reordered(&self, ordered: bool) -> Option<Mismatch> {
        let operations = self.operations.matched();
        let wanted = |&operation: &Operation| !ordered || self.operations.facts[operation as usize].ordered;
        let operations: Vec<Operation> = operations.filter(wanted).collect();
        if operations.len() < 2 {
            return None;
        }
        (0..self.before.threads).find_map(|thread| {
            let sides = [self.before, self.after].map(|events| in_order(events, thread, &operations));
            let counts = sides.each_ref().map(|all| {
                let mut operations: Vec<Operation> = all.iter().map(|&(operation, _)| operation).collect();
                operations.sort_unstable();
                operations
            });
            let [before, after] = &sides;
            let mut pairs = before.iter().zip(after).filter(|_| counts[0] == counts[1]);
            let (&(was, before), &(operation, after)) = pairs.find(|((was, _), (is, _))| was != is)?;
            let what = What::Order(was);
            Some(Mismatch { operation, thread, before: Some(before), after: Some(after), what })
        })
    }

    /// Whether all threads execute an operation as before, in the same order.
    fn is_same(&self, operation: Operation) -> bool {
        (0..self.before.threads).all(|thread| {
            let (one, other) = (self.before.of(operation, thread), self.after.of(operation, thread));
            one.len() == other.len()
                && one.iter().zip(other).all(|(&one, &other)| {
                    let (a, b) = (self.before.at(one), self.after.at(other));
                    // Once for each communication.
                    a.threads[0].thread != thread
                        || same_threads(a, b) && first_changed((self.before, one), (self.after, other), true).is_none()
                })
        })
    }

    /// An operation with effects. `end`: of how often a thread executes it in either run, how far to look.
    fn one_by_one(&self, operation: Operation, end: fn(usize, usize) -> usize, found: &mut Vec<Mismatch>) {
        for thread in 0..self.before.threads {
            let (one, other) = (self.before.of(operation, thread), self.after.of(operation, thread));
            for at in 0..end(one.len(), other.len()) {
                let (before, after) = (one.get(at).copied(), other.get(at).copied());
                let what = match (before, after) {
                    (Some(before), Some(after)) if same_threads(self.before.at(before), self.after.at(after)) => {
                        match changed((self.before, before), (self.after, after), thread, true) {
                            Some(changed) => What::Value(changed),
                            None => continue,
                        }
                    }
                    _ => What::Threads,
                };
                found.push(Mismatch { operation, thread, before, after, what });
                break;
            }
        }
    }

    /// An operation without effects. For each execution before that has one after, which.
    fn whole(&self, operation: Operation, motion: MotionFacts, found: &mut Vec<Mismatch>) -> FxHashMap<u32, u32> {
        let (before, after) = (self.before.with(operation), self.after.with(operation));
        let mut by_set: FxHashMap<Vec<u64>, Vec<u32>> = FxHashMap::default();
        for &index in &before {
            by_set.entry(self.before.set(index)).or_default().push(index);
        }
        let mut used: FxHashMap<u32, u32> = FxHashMap::default();
        let mut twice: Vec<u32> = Vec::new();
        let mut left: Vec<u32> = Vec::new();
        for &index in &after {
            let same_set = by_set.get(&self.after.set(index)).map_or(&[][..], Vec::as_slice);
            let fits = |&&other: &&u32| first_changed((self.before, other), (self.after, index), false).is_none();
            let unused = same_set.iter().filter(|other| !used.contains_key(other)).filter(fits);
            if let Some(&other) =
                unused.rev().max_by_key(|&&other| self.likeness(other, index, self.before.at(other).threads[0].thread))
            {
                used.insert(other, index);
                if let Some((thread, changed)) = first_changed((self.before, other), (self.after, index), true) {
                    let (before, after, what) = (Some(other), Some(index), What::Value(changed));
                    found.push(Mismatch { operation, thread, before, after, what });
                }
            } else if same_set.iter().any(|other| fits(&other)) {
                twice.push(index);
            } else {
                left.push(index);
            }
        }
        let gone: Vec<u32> = before.iter().copied().filter(|index| !used.contains_key(index)).collect();
        for index in left {
            if !self.may_be_moved(operation, index, motion) {
                found.push(self.unmatched(operation, index, &gone));
            }
        }
        // One that may be moved can be one that is gone as well as another one done twice.
        twice.retain(|&index| !self.may_be_moved(operation, index, motion));
        found.extend(self.exchanged(operation, &gone, &twice));
        used
    }

    /// What speaks for an execution after the change being one before it, for a thread: the words of the call, and that both or neither
    /// are under an anchor.
    pub(crate) fn likeness(&self, before: u32, after: u32, thread: u64) -> u32 {
        let (one, other) = (self.before.at(before), self.after.at(after));
        let (Some(mine), Some(theirs)) = (one.participant(thread), other.participant(thread)) else { return 0 };
        let same_words = self.operations.same_words(mine, theirs);
        2 * u32::from(same_words) + u32::from(is_anchored(self.before, before) == is_anchored(self.after, after))
    }

    /// Why an execution after the change was none before it.
    fn unmatched(&self, operation: Operation, index: u32, gone: &[u32]) -> Mismatch {
        let after = self.after.at(index);
        let counterpart = |thread: u64| {
            let at = self.after.of(operation, thread).iter().position(|&other| other == index)?;
            self.before.of(operation, thread).get(at).copied()
        };
        let (after_index, mut best) = (Some(index), None);
        for participant in &after.threads {
            let thread = participant.thread;
            let before = counterpart(thread).filter(|before| gone.contains(before)).or_else(|| {
                let theirs = self.before.of(operation, thread);
                theirs.iter().copied().find(|before| gone.contains(before))
            });
            let before = before.or_else(|| counterpart(thread));
            let same = before.is_some_and(|before| same_threads(self.before.at(before), after));
            let changed =
                before.filter(|_| same).map(|before| changed((self.before, before), (self.after, index), thread, true));
            let what = match changed {
                Some(Some(changed)) => What::Value(changed),
                Some(None) => continue,
                None => What::Threads,
            };
            let mismatch = Mismatch { operation, thread, before, after: after_index, what };
            if what == What::Threads {
                return mismatch;
            }
            best.get_or_insert(mismatch);
        }
        best.unwrap_or(Mismatch {
            operation,
            thread: after.threads[0].thread,
            before: None,
            after: after_index,
            what: What::Threads,
        })
    }

    /// An execution that is gone, and one that is done twice, by the same thread with the same operands, but with other threads.
    fn exchanged(&self, operation: Operation, gone: &[u32], twice: &[u32]) -> Option<Mismatch> {
        for (&before, &after) in gone.iter().flat_map(|before| twice.iter().map(move |after| (before, after))) {
            let (one, other) = (self.before.at(before), self.after.at(after));
            if same_threads(one, other) {
                continue;
            }
            let is_it = |thread: &u64| {
                other.participant(*thread).is_some()
                    && changed((self.before, before), (self.after, after), *thread, false).is_none()
            };
            if let Some(thread) = one.threads.iter().map(|one| one.thread).find(is_it) {
                let (before, after) = (Some(before), Some(after));
                return Some(Mismatch { operation, thread, before, after, what: What::Threads });
            }
        }
        None
    }

    /// Whether an execution is made of threads that passed and got the same before, in sets that the operation may be moved from: smaller ones
    /// where it may be hoisted, larger ones where it may be sunk. Where it may be speculated, others may be there, too.
    fn may_be_moved(&self, operation: Operation, index: u32, motion: MotionFacts) -> bool {
        let after = self.after.at(index);
        let was_there = |thread: u64| {
            self.before.of(operation, thread).iter().any(|&before| {
                let one = self.before.at(before);
                (motion.hoist && is_subset(one, after) || motion.sink && is_subset(after, one))
                    && changed((self.before, before), (self.after, index), thread, true).is_none()
            })
        };
        let is_new = |thread: u64| {
            motion.speculate && self.before.of(operation, thread).len() < self.after.of(operation, thread).len()
        };
        (motion.hoist || motion.sink || motion.speculate)
            && after.threads.iter().all(|one| was_there(one.thread) || is_new(one.thread))
    }
}

/// What a thread executes of some operations, in its order.
fn in_order(events: &Events<'_>, thread: u64, operations: &[Operation]) -> Vec<(Operation, u32)> {
    let of = |&operation: &Operation| events.of(operation, thread).iter().map(move |&index| (operation, index));
    let mut all: Vec<(Operation, u32)> = operations.iter().flat_map(of).collect();
    all.sort_by_key(|&(_, index)| events.at(index).participant(thread).map(|participant| participant.order));
    all
}

fn is_subset(one: &Communication, other: &Communication) -> bool {
    one.threads.iter().all(|participant| other.participant(participant.thread).is_some())
}
