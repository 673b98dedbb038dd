//! What is remembered of communication: events, and how often operations ran with how many threads.

use rustc_hash::FxHashMap;

use crate::program::code::CodeId;

/// One execution by a set of threads.
#[derive(Debug, Clone)]
pub(crate) struct Execution {
    pub(crate) code: CodeId,
    pub(crate) op: u32,
    pub(crate) instance: u64,
    pub(crate) threads: Vec<u64>,
    pub(crate) results: Vec<String>,
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
    pub(crate) executions: Vec<Execution>,
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

    /// A complete set executed an operation. `results` is asked for only if the event is kept.
    pub(crate) fn add(&mut self, code: CodeId, op: u32, threads: Vec<u64>, results: impl FnOnce() -> Vec<String>) {
        self.tallies.entry((code, op)).or_default().add(threads.len() as u64);
        let instance = self.instances.entry((code, op)).or_default();
        if self.executions.len() < self.capacity {
            self.executions.push(Execution { code, op, instance: *instance, threads, results: results() });
        }
        *instance += 1;
    }

    /// Some threads executed an operation that nobody waits at.
    pub(crate) fn pass(
        &mut self,
        code: CodeId,
        op: u32,
        key: u64,
        threads: Vec<u64>,
        results: impl FnOnce() -> Vec<String>,
    ) {
        let open = self.open.entry((code, op, key)).or_insert_with(|| {
            let instance = self.instances.entry((code, op)).or_default();
            let kept = (self.executions.len() < self.capacity).then(|| {
                let (threads, results) = (Vec::new(), Vec::new());
                self.executions.push(Execution { code, op, instance: *instance, threads, results });
                self.executions.len() - 1
            });
            *instance += 1;
            Open { threads: 0, kept }
        });
        open.threads += threads.len() as u64;
        if let Some(kept) = open.kept {
            let execution = &mut self.executions[kept];
            let mut all: Vec<(u64, Option<String>)> =
                execution.threads.drain(..).map(|thread| (thread, None)).collect();
            for (entry, result) in all.iter_mut().zip(execution.results.drain(..)) {
                entry.1 = Some(result);
            }
            let mut results = results().into_iter();
            all.extend(threads.into_iter().map(|thread| (thread, results.next())));
            all.sort_by_key(|&(thread, _)| thread);
            for (thread, result) in all {
                execution.threads.push(thread);
                execution.results.extend(result);
            }
        }
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
