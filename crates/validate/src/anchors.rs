//! Anchors, of which an implementation says who executes them together.
//!
//! *Definition.* Let S be the threads that executed converged instances of an anchor before the change, and look at the
//! communications under it. A change of the program is a part of the implementation, so it may divide S. But it
//! has to be one division for all that is under the anchor: of two threads of S, over the communications in which both took part before,
//! they are together after the change in all or in none. A communication that neither of them executes any more does not
//! count. Threads of different instances of an anchor may come together, if they executed the same call before: that is what unrolling
//! a loop with an anchor does to its remainder. Those that executed different calls may not: these are never converged.
//!
//! A function that is not convergent and has uncontrolled operations begins as if with an anchor: its callers may be changed in ways that divide those who enter it.
//!
//! Where results say which way a thread goes, one that was divided may go another way from then on. There, only two threads that did the same until then, with the
//! same threads and results, contradict a division, by being apart where they were together. Operations that may be moved over branches, by what the target
//! says of them, may have other sets anyway.
//!
//! Anchors of the program after may divide threads, too, each execution in another way; what they do then has to be a division of S again.
//!
//! When S was divided, results are those of smaller sets, and so is all that depends on them. Nothing more can be said of such a
//! launch then. Launches in which each thread executes anchors on its own have sets of one, and are compared in full.

use std::cell::RefCell;

use reconverge_exec::{Communication, Root};
use rustc_hash::FxHashMap;

use crate::events::{Events, Operation, Operations, changed, same_threads};
use crate::matching::{Matching, Mismatch, What};

/// What became of the threads that executed anchors together.
pub(crate) enum Division {
    /// They are together as before, execution by execution.
    Kept,
    /// Some were divided, or came together, as an implementation may: the rest of the launch cannot be compared.
    Allowed,
    /// They were not divided in one way.
    Forbidden(Mismatch),
}

/// Communications before the change that are under one instance of an anchor.
type Instances = Vec<(Operation, u32)>;

/// Whether a communication is under an anchor.
pub(crate) fn is_anchored(events: &Events<'_>, index: u32) -> bool {
    matches!(events.at(index).root, Root::Anchor(_))
}

/// Whether an operation that was under an anchor no longer is: then threads may be together as they were before the anchor let them
/// part, which is one way to execute it. It is if a thread executes it less often under anchors, and more often under none.
pub(crate) fn lost_anchors(matching: &Matching<'_>) -> bool {
    let Matching { operations, before, after } = *matching;
    (0..operations.facts.len() as Operation).any(|operation| {
        (0..before.threads).any(|thread| {
            executions(after, operation, thread, true) < executions(before, operation, thread, true)
                && executions(after, operation, thread, false) > executions(before, operation, thread, false)
        })
    })
}

/// How often a thread executes an operation under anchors, or under none.
fn executions(events: &Events<'_>, operation: Operation, thread: u64, anchored: bool) -> usize {
    events.of(operation, thread).iter().filter(|&&index| is_anchored(events, index) == anchored).count()
}

/// Looks at how the threads of each anchor instance are divided after the change.
pub(crate) fn division(matching: &Matching<'_>) -> Division {
    let mut order: Vec<(u64, Root)> = Vec::new();
    let mut instances: FxHashMap<(u64, Root), Instances> = FxHashMap::default();
    for (index, communication) in (0..).zip(matching.before.all) {
        let key = (communication.workgroup, communication.root);
        let operation = matching.operations.of(0, &communication.threads[0]);
        if matches!(communication.root, Root::Anchor(_)) && matching.operations.facts[operation as usize].matched {
            instances
                .entry(key)
                .or_insert_with(|| {
                    order.push(key);
                    Vec::new()
                })
                .push((operation, index));
        }
    }
    let alignments = [false, true].map(|late| Alignments::new(matching, late));
    for key in order {
        // An alignment where executions were left out is a guess: only what no guess explains is a difference.
        let found = alignments.each_ref().map(|alignments| divided(matching, alignments, &instances[&key]));
        if let [Some(mismatch), Some(_)] =
            alignments.each_ref().map(|alignments| merged(matching, alignments, &instances[&key]))
        {
            return Division::Forbidden(mismatch);
        }
        match found {
            [Some(mismatch), Some(_)] => return Division::Forbidden(mismatch),
            // What follows from results of another set says nothing.
            _ if is_divided(matching, &alignments[0], &instances[&key]) => return Division::Allowed,
            _ => {}
        }
    }
    match executes_more(matching) {
        true => Division::Allowed,
        false => Division::Kept,
    }
}

/// Whether a thread executes something under anchors more often than before.
fn executes_more(matching: &Matching<'_>) -> bool {
    let Matching { operations, before, after } = *matching;
    operations.matched().any(|operation| {
        let more = |thread| executions(after, operation, thread, true) > executions(before, operation, thread, true);
        (0..before.threads).any(more)
    })
}

/// Whether a communication under an anchor has other threads than before.
fn is_divided(matching: &Matching<'_>, alignments: &Alignments<'_>, instances: &Instances) -> bool {
    instances.iter().any(|&(operation, index)| {
        let set = matching.before.set(index);
        set.iter().any(|&thread| {
            let after = alignments.of(operation, thread, index);
            after.is_none_or(|after| matching.after.set(after) != set)
        })
    })
}

/// Threads that are together now, and executed calls at different places before: those are never converged.
fn merged(matching: &Matching<'_>, alignments: &Alignments<'_>, instances: &Instances) -> Option<Mismatch> {
    let place = |index: u32, thread: u64| matching.before.at(index).participant(thread).map(|one| one.site);
    let Operations { facts, steer, .. } = matching.operations;
    let may_be_merged = |operation: Operation| facts[operation as usize].motion.hoist;
    instances.iter().filter(|&&(operation, _)| !may_be_merged(operation)).find_map(|&(operation, index)| {
        matching.before.set(index).into_iter().find_map(|thread| {
            let after = alignments.of(operation, thread, index).filter(|_| alignments.is_sure(operation, thread))?;
            let others = matching.after.set(after).into_iter();
            let is_elsewhere = |other: u64| {
                let before = alignments.before(operation, other, after);
                before.is_some_and(|before| {
                    place(before, other) != place(index, thread)
                        && alignments.is_sure(operation, other)
                        && (!steer
                            || alignments.came_alike(other, before, after)
                                && alignments.came_alike(thread, index, after))
                })
            };
            let (before, after, what) = (Some(index), Some(after), What::Threads);
            others.into_iter().any(is_elsewhere).then_some(Mismatch { operation, thread, before, after, what })
        })
    })
}

/// Two threads that are together in one communication and not in another.
fn divided(matching: &Matching<'_>, alignments: &Alignments<'_>, instances: &Instances) -> Option<Mismatch> {
    let mut together: FxHashMap<(u64, u64), bool> = FxHashMap::default();
    let mut first: Option<Mismatch> = None;
    let mut contradiction = false;
    let Operations { facts, steer, .. } = matching.operations;
    for &(operation, index) in instances {
        let motion = facts[operation as usize].motion;
        if motion.hoist || motion.sink {
            continue;
        }
        let set = matching.before.set(index);
        let now: Vec<Option<u32>> = set.iter().map(|&thread| alignments.of(operation, thread, index)).collect();
        for (a, (&one, &here)) in set.iter().zip(&now).enumerate() {
            for (&other, &there) in set.iter().zip(&now).skip(a + 1) {
                if here.is_none() && there.is_none() {
                    continue;
                }
                let are = here == there;
                let is_other = *together.entry((one, other)).or_insert(are) != are;
                contradiction |= match (steer, here, there) {
                    (false, ..) => is_other,
                    (true, Some(here), Some(there)) => {
                        let came_alike =
                            || alignments.came_alike(one, index, here) && alignments.came_alike(other, index, there);
                        !are && came_alike() && were_together(matching, instances, [one, other], index)
                    }
                    _ => false,
                };
                if !are && first.is_none() {
                    let (thread, after) = if here.is_some() { (one, here) } else { (other, there) };
                    let (before, what) = (Some(index), What::Threads);
                    first = Some(Mismatch { operation, thread, before, after, what });
                }
            }
        }
    }
    first.filter(|_| contradiction)
}

/// Whether two threads took part in a communication that one of them executed before another one.
fn were_together(matching: &Matching<'_>, instances: &Instances, threads: [u64; 2], until: u32) -> bool {
    instances.iter().any(|&(_, index)| {
        let communication = matching.before.at(index);
        threads.iter().all(|&thread| communication.participant(thread).is_some())
            && matching.before.is_earlier(threads[0], index, until)
    })
}

/// What a match counts for: more than all that may speak for another one.
const MATCH: u32 = 1 << 16;

/// What each execution became.
type Aligned = Vec<Option<u32>>;

/// Which executions after the change those by a thread before it became.
struct Alignments<'m> {
    matching: &'m Matching<'m>,
    late: bool,
    /// By operation and thread, in the order of the executions before.
    known: RefCell<FxHashMap<(Operation, u64), Aligned>>,
    /// By thread.
    ways: RefCell<FxHashMap<u64, Way>>,
}

/// All that a thread executed, in order.
struct Way {
    before: Vec<u32>,
    after: Vec<u32>,
    /// How many of the first ones are the same, with the same threads, operands and results.
    alike: usize,
}

impl Way {
    fn new(matching: &Matching<'_>, thread: u64) -> Way {
        let Matching { operations, before, after } = *matching;
        let all = |events: &Events<'_>| {
            let executed = operations.matched().flat_map(|operation| events.of(operation, thread));
            let mut all: Vec<u32> = executed.copied().collect();
            all.sort_by_key(|&index| events.at(index).participant(thread).map(|participant| participant.order));
            all
        };
        let (one, other) = (all(before), all(after));
        let is_same = |&(&mine, &theirs): &(&u32, &u32)| {
            let (a, b) = (before.at(mine), after.at(theirs));
            let operation = |program: usize, communication: &Communication| {
                communication.participant(thread).map(|participant| operations.of(program, participant))
            };
            operation(0, a) == operation(1, b)
                && same_threads(a, b)
                && changed((before, mine), (after, theirs), thread, true).is_none()
        };
        let alike = one.iter().zip(&other).take_while(is_same).count();
        Way { before: one, after: other, alike }
    }
}

impl<'m> Alignments<'m> {
    fn new(matching: &'m Matching<'m>, late: bool) -> Alignments<'m> {
        Alignments { matching, late, known: RefCell::default(), ways: RefCell::default() }
    }

    /// What an execution became; nothing where it was left out.
    fn of(&self, operation: Operation, thread: u64, index: u32) -> Option<u32> {
        let at = self.matching.before.of(operation, thread).iter().position(|&other| other == index)?;
        let mut known = self.known.borrow_mut();
        known.entry((operation, thread)).or_insert_with(|| self.align(operation, thread)).get(at).copied().flatten()
    }

    /// Whether a thread executes an operation as often as before, so that nothing is guessed.
    fn is_sure(&self, operation: Operation, thread: u64) -> bool {
        let Matching { before, after, .. } = *self.matching;
        before.of(operation, thread).len() == after.of(operation, thread).len()
    }

    /// Whether a thread did the same until then, with the same threads and the same results, so that it came the same way; and next to that, what it executed
    /// before the change became what is asked about.
    fn came_alike(&self, thread: u64, before: u32, after: u32) -> bool {
        let mut ways = self.ways.borrow_mut();
        let way = ways.entry(thread).or_insert_with(|| Way::new(self.matching, thread));
        let at = way.before.iter().position(|&index| index == before);
        at.is_some_and(|at| at <= way.alike && way.after.get(at) == Some(&after))
    }

    /// What an execution after the change was.
    fn before(&self, operation: Operation, thread: u64, after: u32) -> Option<u32> {
        let mut known = self.known.borrow_mut();
        let aligned = known.entry((operation, thread)).or_insert_with(|| self.align(operation, thread));
        let at = aligned.iter().position(|&other| other == Some(after))?;
        self.matching.before.of(operation, thread).get(at).copied()
    }

    /// With as many after as before they are matched in order, whatever their operands are: those may depend on results of other sets.
    /// Otherwise a longest common subsequence by operands says it: of those whose matches are most alike, the
    /// one that takes executions as early as possible, or as late.
    fn align(&self, operation: Operation, thread: u64) -> Aligned {
        let Matching { before, after, .. } = *self.matching;
        let (mut one, mut other) = (before.of(operation, thread).to_vec(), after.of(operation, thread).to_vec());
        if one.len() == other.len() || one.len() * other.len() > 1 << 14 {
            return (0..one.len()).map(|at| other.get(at).copied()).collect();
        }
        if self.late {
            one.reverse();
            other.reverse();
        }
        let (n, m) = (one.len(), other.len());
        // What a match counts: nothing where operands differ.
        let worth = |a: usize, b: usize| match changed((before, one[a]), (after, other[b]), thread, false) {
            Some(_) => 0,
            None => MATCH + self.matching.likeness(one[a], other[b], thread),
        };
        // What can be matched from each pair of places on.
        let mut most = vec![vec![0u32; m + 1]; n + 1];
        for a in (0..n).rev() {
            for b in (0..m).rev() {
                let both = most[a + 1][b + 1] + worth(a, b);
                most[a][b] = both.max(most[a][b + 1]).max(most[a + 1][b]);
            }
        }
        let mut aligned = vec![None; n];
        let (mut a, mut b) = (0, 0);
        while a < n && b < m {
            let worth = worth(a, b);
            if worth > 0 && most[a][b] == most[a + 1][b + 1] + worth {
                aligned[a] = Some(other[b]);
                (a, b) = (a + 1, b + 1);
            } else if most[a][b] == most[a + 1][b] {
                a += 1;
            } else {
                b += 1;
            }
        }
        if self.late {
            aligned.reverse();
        }
        aligned
    }
}
