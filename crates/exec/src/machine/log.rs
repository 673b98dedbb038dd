//! What is remembered of communication: events, when threads came to their end, who waited when the run was over, and how often operations ran with how many threads.
//!
//! The clock of a workgroup is the number of executions that have happened in it.

use rustc_hash::FxHashMap;

use crate::program::code::CodeId;

/// One execution by a set of threads.
#[derive(Debug, Clone)]
pub(crate) struct Execution {
    pub(crate) code: CodeId,
    pub(crate) op: u32,
    pub(crate) instance: u64,
    pub(crate) threads: Vec<u64>,
    pub(crate) kept: Kept,
}

/// What is kept of an execution, each list for its threads or empty.
#[derive(Debug, Clone, Default)]
pub(crate) struct Kept {
    pub(crate) results: Vec<String>,
    /// The clock when each came.
    pub(crate) since: Vec<u64>,
    /// Whose value each got, where that is one thread's.
    pub(crate) from: Vec<Option<u64>>,
}

/// Threads that wait at an operation when the run is over.
#[derive(Debug, Clone)]
pub(crate) struct Waiting {
    pub(crate) code: CodeId,
    pub(crate) op: u32,
    pub(crate) threads: Vec<u64>,
    pub(crate) since: u64,
}

/// What is kept of a workgroup.
#[derive(Debug, Default)]
pub(crate) struct Record {
    pub(crate) executions: Vec<Execution>,
    /// Threads that came to their end, with the clock.
    pub(crate) ends: Vec<(u64, Vec<u64>)>,
    pub(crate) waiting: Vec<Waiting>,
}

impl Record {
    pub(crate) fn is_empty(&self) -> bool {
        self.executions.is_empty() && self.ends.is_empty() && self.waiting.is_empty()
    }
}

/// How often one operation ran.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Tally {
    pub(crate) executions: u64,
    pub(crate) threads: u64,
    pub(crate) fewest: u64,
    pub(crate) most: u64,
}

impl Tally {
    fn add(&mut self, threads: u64) {
        self.fewest = if self.executions == 0 { threads } else { self.fewest.min(threads) };
        self.most = self.most.max(threads);
        self.executions += 1;
        self.threads += threads;
    }

    pub(crate) fn join(&mut self, other: &Tally) {
        if other.executions > 0 {
            self.fewest = if self.executions == 0 { other.fewest } else { self.fewest.min(other.fewest) };
            self.most = self.most.max(other.most);
            self.executions += other.executions;
            self.threads += other.threads;
        }
    }
}

/// What happened in a workgroup.
#[derive(Debug, Default)]
pub(crate) struct Log {
    /// How many executions are kept.
    capacity: usize,
    pub(crate) record: Record,
    happened: u64,
    pub(crate) tallies: FxHashMap<(CodeId, u32), Tally>,
    instances: FxHashMap<(CodeId, u32), u64>,
    /// Executions of operations that nobody waits at: more threads may come to them. By instance key.
    open: FxHashMap<(CodeId, u32, u64), Open>,
}

#[derive(Debug)]
struct Open {
    threads: u64,
    /// Where it is in `executions`, if it is kept.
    kept: Option<usize>,
}

impl Log {
    /// A log that keeps this many executions.
    pub(crate) fn new(capacity: usize) -> Log {
        Log { capacity, ..Log::default() }
    }

    /// Whether anything is kept.
    pub(crate) fn keeps(&self) -> bool {
        self.capacity > 0
    }

    /// Whether the next execution is kept.
    pub(crate) fn has_room(&self) -> bool {
        self.record.executions.len() < self.capacity
    }

    /// The clock.
    pub(crate) fn happened(&self) -> u64 {
        self.happened
    }

    /// Threads came to their end.
    pub(crate) fn end(&mut self, threads: Vec<u64>) {
        match self.record.ends.last_mut() {
            Some((clock, together)) if *clock == self.happened => {
                together.extend(threads);
                together.sort_unstable();
            }
            _ => self.record.ends.push((self.happened, threads)),
        }
    }

    /// A complete set executed an operation. `kept` is asked for only if the event is kept; the answer is its number.
    pub(crate) fn add(
        &mut self,
        code: CodeId,
        op: u32,
        threads: Vec<u64>,
        kept: impl FnOnce() -> Kept,
    ) -> Option<usize> {
        self.tallies.entry((code, op)).or_default().add(threads.len() as u64);
        let instance = self.instances.entry((code, op)).or_default();
        let executions = &mut self.record.executions;
        let number = (executions.len() < self.capacity).then_some(executions.len());
        if number.is_some() {
            executions.push(Execution { code, op, instance: *instance, threads, kept: kept() });
        }
        *instance += 1;
        self.happened += 1;
        number
    }

    /// Some threads executed an operation that nobody waits at; the answer is the number of the event, if it is kept.
    pub(crate) fn pass(
        &mut self,
        code: CodeId,
        op: u32,
        key: u64,
        threads: Vec<u64>,
        results: impl FnOnce() -> Vec<String>,
    ) -> Option<usize> {
        let open = self.open.entry((code, op, key)).or_insert_with(|| {
            let instance = self.instances.entry((code, op)).or_default();
            let executions = &mut self.record.executions;
            let kept = (executions.len() < self.capacity).then(|| {
                let (threads, kept) = (Vec::new(), Kept::default());
                executions.push(Execution { code, op, instance: *instance, threads, kept });
                executions.len() - 1
            });
            *instance += 1;
            self.happened += 1;
            Open { threads: 0, kept }
        });
        open.threads += threads.len() as u64;
        if let Some(kept) = open.kept {
            let execution = &mut self.record.executions[kept];
            let mut all: Vec<(u64, Option<String>)> =
                execution.threads.drain(..).map(|thread| (thread, None)).collect();
            for (entry, result) in all.iter_mut().zip(execution.kept.results.drain(..)) {
                entry.1 = Some(result);
            }
            let mut results = results().into_iter();
            all.extend(threads.into_iter().map(|thread| (thread, results.next())));
            all.sort_by_key(|&(thread, _)| thread);
            for (thread, result) in all {
                execution.threads.push(thread);
                execution.kept.results.extend(result);
            }
        }
        open.kept
    }

    /// How many executions others may still come to.
    pub(crate) fn open(&self) -> usize {
        self.open.len()
    }

    /// Nobody comes any more.
    pub(crate) fn close(&mut self) {
        for ((code, op, _), open) in self.open.drain() {
            self.tallies.entry((code, op)).or_default().add(open.threads);
        }
    }
}
