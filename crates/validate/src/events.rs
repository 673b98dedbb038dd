//! The communications of two runs, by operation and thread.

use reconverge_analysis::target::MotionFacts;
use reconverge_exec::{Communication, Component, Linked, Participant, Recording};
use rustc_hash::FxHashMap;

/// The number of an operation: of what is called, whichever function the call is in.
pub(crate) type Operation = u32;

/// What is known of an operation of either program.
#[derive(Debug, Clone)]
pub(crate) struct OperationFacts {
    pub(crate) name: String,
    /// Nothing but its result comes of it.
    pub(crate) pure: bool,
    /// It keeps its place among others that do, in each thread.
    pub(crate) ordered: bool,
    /// Whether both programs have it, so that its executions can be matched. An operation that other ones took the place of is
    /// seen by what comes of it only.
    pub(crate) matched: bool,
    /// By how many more or fewer threads than before it may be executed, according to the target.
    pub(crate) motion: MotionFacts,
}

/// The operations of two programs, with common numbers.
#[derive(Clone)]
pub(crate) struct Operations {
    pub(crate) facts: Vec<OperationFacts>,
    /// By number of a site, in the program before and in the one after.
    sites: [FxHashMap<u32, Operation>; 2],
    /// Whether threads may go other ways when they get something else.
    pub(crate) steer: bool,
    /// Sites that have the same words in both programs.
    kept: [FxHashMap<u32, u32>; 2],
}

impl Operations {
    pub(crate) fn new(before: &Linked<'_>, after: &Linked<'_>) -> Operations {
        let mut numbers: FxHashMap<String, Operation> = FxHashMap::default();
        let mut facts: Vec<OperationFacts> = Vec::new();
        let mut there: Vec<[bool; 2]> = Vec::new();
        let mut sites = [FxHashMap::default(), FxHashMap::default()];
        for (program, linked) in [before, after].into_iter().enumerate() {
            let mut all: Vec<_> = linked.sites().iter().collect();
            all.sort_by_key(|(number, _)| **number);
            for (&number, site) in all {
                let operation = *numbers.entry(site.operation.clone()).or_insert_with(|| {
                    let call = linked.target().call(site.operation.as_bytes());
                    let motion = call.map(|call| call.motion).unwrap_or_default();
                    let name = site.operation.clone();
                    facts.push(OperationFacts { name, pure: true, ordered: true, matched: false, motion });
                    there.push([false; 2]);
                    facts.len() as Operation - 1
                });
                let known = &mut facts[operation as usize];
                known.pure &= site.pure || known.motion.result_only;
                known.ordered &= site.ordered && !known.motion.result_only;
                there[operation as usize][program] = true;
                sites[program].insert(number, operation);
            }
        }
        // An operation with effects that is gone is gone, unless others came that it may have become.
        let came = |program: usize| {
            facts.iter().zip(&there).any(|(facts, there)| !facts.pure && there[program] && !there[1 - program])
        };
        let replaced = came(0) && came(1);
        for (facts, there) in facts.iter_mut().zip(&there) {
            facts.matched = *there == [true; 2] || !facts.pure && !replaced;
        }
        let steer = before.is_steered() || after.is_steered();
        Operations { facts, sites, steer, kept: kept(before, after) }
    }

    /// Whether two threads are at calls that have the same words, with the same names: these are likely one call.
    pub(crate) fn same_words(&self, before: &Participant, after: &Participant) -> bool {
        let [one, other] = [(0, before), (1, after)].map(|(program, at)| self.kept[program].get(&at.site));
        one.is_some() && one == other
    }

    /// Those that are compared.
    pub(crate) fn matched(&self) -> impl Iterator<Item = Operation> + '_ {
        (0..).zip(&self.facts).filter(|(_, facts)| facts.matched).map(|(operation, _)| operation)
    }

    /// What a thread executed, in the program before (0) or after (1).
    pub(crate) fn of(&self, program: usize, participant: &Participant) -> Operation {
        self.sites[program].get(&participant.site).copied().unwrap_or(0)
    }
}

/// Numbers for the words of calls, by sites of the program before and of the one after.
fn kept(before: &Linked<'_>, after: &Linked<'_>) -> [FxHashMap<u32, u32>; 2] {
    let mut numbers: FxHashMap<&[u8], u32> = FxHashMap::default();
    [before, after].map(|linked| {
        let of = |(&number, site)| {
            let next = numbers.len() as u32;
            (number, *numbers.entry(linked.words(site)).or_insert(next))
        };
        linked.sites().iter().map(of).collect()
    })
}

/// The communications of a run, by operation and thread.
pub(crate) struct Events<'r> {
    pub(crate) linked: &'r Linked<'r>,
    pub(crate) all: &'r [Communication],
    /// By operation and thread: places in `all`, in the order of execution.
    by_thread: Vec<Vec<u32>>,
    pub(crate) threads: u64,
}

impl<'r> Events<'r> {
    pub(crate) fn new(
        program: usize,
        operations: &Operations,
        linked: &'r Linked<'r>,
        recording: &'r Recording,
        threads: u64,
    ) -> Events<'r> {
        let mut by_thread: Vec<Vec<u32>> = vec![Vec::new(); operations.facts.len() * threads as usize];
        let mut latest = vec![0; by_thread.len()];
        let mut late: Vec<usize> = Vec::new();
        for (index, communication) in (0..).zip(&recording.communications) {
            for participant in &communication.threads {
                let operation = u64::from(operations.of(program, participant));
                let at = (operation * threads + participant.thread) as usize;
                by_thread[at].push(index);
                if participant.order < latest[at] {
                    late.push(at);
                }
                latest[at] = participant.order;
            }
        }
        late.dedup();
        for at in late {
            let thread = at as u64 % threads;
            let order = |&index: &u32| {
                recording.communications[index as usize].participant(thread).map(|participant| participant.order)
            };
            by_thread[at].sort_by_key(order);
        }
        Events { linked, all: &recording.communications, by_thread, threads }
    }

    /// The communications in which a thread executed an operation, in order.
    pub(crate) fn of(&self, operation: Operation, thread: u64) -> &[u32] {
        &self.by_thread[(u64::from(operation) * self.threads + thread) as usize]
    }

    /// The communications in which an operation was executed, in the order of the run.
    pub(crate) fn with(&self, operation: Operation) -> Vec<u32> {
        let mut all: Vec<u32> = (0..self.threads).flat_map(|thread| self.of(operation, thread)).copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    pub(crate) fn at(&self, index: u32) -> &'r Communication {
        &self.all[index as usize]
    }

    /// Whether a thread executed one of two communications before the other. The numbers of communications do not say it.
    pub(crate) fn is_earlier(&self, thread: u64, one: u32, other: u32) -> bool {
        let order = |index: u32| self.at(index).participant(thread).map(|participant| participant.order);
        order(one) < order(other)
    }

    /// The threads of a communication.
    pub(crate) fn set(&self, index: u32) -> Vec<u64> {
        self.at(index).threads.iter().map(|one| one.thread).collect()
    }
}

/// Whether two communications have the same threads.
pub(crate) fn same_threads(one: &Communication, other: &Communication) -> bool {
    one.threads.len() == other.threads.len()
        && one.threads.iter().zip(&other.threads).all(|(a, b)| a.thread == b.thread)
}

/// What is another value than before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Changed {
    Operand(u32),
    Result,
}

/// What a thread passes otherwise, or gets otherwise, than before: operands first.
pub(crate) fn changed(
    before: (&Events<'_>, u32),
    after: (&Events<'_>, u32),
    thread: u64,
    with_results: bool,
) -> Option<Changed> {
    let (one, other) = (before.0.at(before.1), after.0.at(after.1));
    let (participant, counterpart) = (one.participant(thread)?, other.participant(thread)?);
    let site = before.0.linked.site(participant.site)?;
    let site_after = after.0.linked.site(counterpart.site)?;
    let (operands, theirs) = (one.operands(participant), other.operands(counterpart));
    if site.operands.len() == operands.len() && site_after.operands.len() == theirs.len() {
        // Operands that are pointers in one of the programs mean nothing in the other.
        for index in 0..operands.len().min(theirs.len()) {
            if let (Some(operand), Some(_)) = (site.operands[index], site_after.operands[index])
                && !operands[index].allows(&theirs[index])
            {
                return Some(Changed::Operand(operand));
            }
        }
    }
    let is_data = |index: usize| site.results.get(index) == Some(&true);
    let (results, theirs) = (one.results(participant), other.results(counterpart));
    let differ = |(index, (a, b)): (usize, (&Component, &Component))| is_data(index) && !a.allows(b);
    (with_results && results.iter().zip(theirs).enumerate().any(differ)).then_some(Changed::Result)
}

/// The first thread of the program before for which something changed.
pub(crate) fn first_changed(
    before: (&Events<'_>, u32),
    after: (&Events<'_>, u32),
    with_results: bool,
) -> Option<(u64, Changed)> {
    let threads = &before.0.at(before.1).threads;
    threads.iter().find_map(|one| Some((one.thread, changed(before, after, one.thread, with_results)?)))
}
