//! The first step of a pipeline that is a find.
//!
//! Steps come out of opt one after the other, and any number of threads look at them; opt waits while they are busy, so no more modules are held
//! than there are threads. Steps behind one that is a find are not looked at, all before it are: what is found is the first, however the
//! threads run.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::iter::{ParallelBridge, ParallelIterator};
use reconverge_analysis::check::{CheckOptions, check};
use reconverge_analysis::diagnostic::{Diagnostic, Severity};
use reconverge_analysis::target::Target;
use reconverge_exec::Program;
use reconverge_validate::{Comparison, Verdict, compare};

use super::changes::Fingerprints;
use super::dumps::PassRun;
use super::opt::Running;
use crate::comparing::Plan;

/// A pass that changed something: the module before it and behind it.
#[derive(Clone)]
pub(super) struct Step {
    /// Its place among those that changed something, from 1.
    pub(super) index: usize,
    pub(super) pass: PassRun,
    pub(super) before: Arc<[u8]>,
    pub(super) after: Arc<[u8]>,
}

/// What a step is found for.
pub(super) enum Why {
    /// A kernel communicates otherwise.
    Different(Comparison),
    /// The static rules are broken, and were not before.
    Rules(Vec<Diagnostic>),
    /// Opt's verifier rejects the module, with what it says.
    Verifier(Vec<String>),
}

/// A step that is a find.
pub(super) struct Found {
    pub(super) step: Step,
    pub(super) why: Why,
}

/// What is known in the end, or while the search goes on.
#[derive(Default)]
pub(super) struct Search {
    /// The steps so far.
    pub(super) steps: AtomicUsize,
    /// Those that were looked at, and of these the ones that changed a kernel that can be compared.
    pub(super) done: AtomicUsize,
    pub(super) compared: AtomicUsize,
    /// The launches.
    pub(super) runs: AtomicU64,
    /// The last pass.
    pub(super) last: Mutex<Option<PassRun>>,
    last_step: Mutex<Option<Step>>,
    found: Mutex<Option<Found>>,
    /// Why kernels could not be compared, and in how many steps.
    failures: Mutex<BTreeMap<String, usize>>,
}

/// What a search is for.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'a> {
    pub(super) plan: Plan<'a>,
    pub(super) target: Option<&'a Target>,
}

impl Search {
    /// Looks at all steps. Afterwards all that opt has to say is read, unless something is found or it could not be read.
    ///
    /// # Errors
    /// When the output of opt cannot be read.
    pub(super) fn run(&self, running: &mut Running, initial: Arc<[u8]>, wanted: Wanted<'_>) -> std::io::Result<()> {
        let mut failure = None;
        let mut before = initial;
        let steps = std::iter::from_fn(|| {
            loop {
                if lock(&self.found).is_some() {
                    return None;
                }
                let dump = match running.dumps.next() {
                    Ok(dump) => dump?,
                    Err(error) => {
                        failure = Some(error);
                        return None;
                    }
                };
                *lock(&self.last) = Some(dump.pass.clone());
                if *dump.module == *before {
                    continue;
                }
                let after: Arc<[u8]> = dump.module.into();
                let index = self.steps.fetch_add(1, Ordering::Relaxed) + 1;
                let before = std::mem::replace(&mut before, Arc::clone(&after));
                let step = Step { index, pass: dump.pass, before, after };
                *lock(&self.last_step) = Some(step.clone());
                return Some(step);
            }
        });
        steps.par_bridge().for_each(|step| {
            // One before it may have been found in the meantime.
            if !self.is_behind_a_find(step.index) {
                if let Some(why) = self.judge(&step, wanted) {
                    self.note_find(Found { step, why });
                }
                self.done.fetch_add(1, Ordering::Relaxed);
            }
        });
        failure.map_or(Ok(()), Err)
    }

    /// The first find.
    pub(super) fn found(&self) -> Option<Found> {
        lock(&self.found).take()
    }

    /// The last pass that changed something.
    pub(super) fn last_step(&self) -> Option<Step> {
        lock(&self.last_step).take()
    }

    /// Why kernels could not be compared, with the number of steps.
    pub(super) fn failures(&self) -> Vec<(String, usize)> {
        lock(&self.failures).iter().map(|(reason, &count)| (reason.clone(), count)).collect()
    }

    fn is_behind_a_find(&self, index: usize) -> bool {
        lock(&self.found).as_ref().is_some_and(|found| found.step.index < index)
    }

    fn note_find(&self, new: Found) {
        let mut found = lock(&self.found);
        if found.as_ref().is_none_or(|found| new.step.index < found.step.index) {
            *found = Some(new);
        }
    }

    fn note_failure(&self, reason: String) {
        *lock(&self.failures).entry(reason).or_default() += 1;
    }

    /// Whether a step is a find.
    fn judge(&self, step: &Step, wanted: Wanted<'_>) -> Option<Why> {
        let broken = new_breaches(step, wanted.target);
        if !broken.is_empty() {
            return Some(Why::Rules(broken));
        }
        let prepare = |text| Program::prepare(text, "module", wanted.target);
        let (before, after) = match (prepare(&step.before), prepare(&step.after)) {
            (Ok(before), Ok(after)) => (before, after),
            (Err(error), _) | (_, Err(error)) => {
                self.note_failure(error.to_string());
                return None;
            }
        };
        let kernels = match wanted.plan.kernels(&before, &after) {
            Ok(kernels) => kernels,
            Err(refusal) => {
                self.note_failure(refusal.message);
                return None;
            }
        };
        let prints = [Fingerprints::new(&step.before), Fingerprints::new(&step.after)];
        let mut is_compared = false;
        let mut find = None;
        for kernel in kernels.names {
            let [old, new] = [&prints[0], &prints[1]].map(|prints| prints.of(&kernel));
            let exists = before.function(&kernel).is_some() && after.function(&kernel).is_some();
            // What a pass takes out because nothing needs it communicates with nobody.
            if !exists || old.is_some() && old == new {
                continue;
            }
            let options = match wanted.plan.options(&before, &after, &kernel) {
                Ok(options) => options,
                Err(refusal) => {
                    self.note_failure(refusal.message);
                    continue;
                }
            };
            let comparison = compare(&before, &after, &kernel, &options, &|_| ());
            self.runs.fetch_add(comparison.runs, Ordering::Relaxed);
            match &comparison.verdict {
                Verdict::Different(_) => {
                    is_compared = true;
                    find = Some(Why::Different(comparison));
                    break;
                }
                Verdict::NotCompared(reason) => self.note_failure(format!("@{kernel}: {reason}")),
                Verdict::Equal | Verdict::Proved { .. } => is_compared = true,
            }
        }
        self.compared.fetch_add(usize::from(is_compared), Ordering::Relaxed);
        find
    }
}

/// Breaches of the static rules that there are behind a pass and were not before.
fn new_breaches(step: &Step, target: Option<&Target>) -> Vec<Diagnostic> {
    let has_control = memchr::memmem::find(&step.after, b"convergence").is_some();
    if !has_control {
        return Vec::new();
    }
    let options = CheckOptions { target, hints: false };
    let breaches = |text| {
        let report = check(text, &options).map(|report| report.diagnostics).unwrap_or_default();
        let is_breach = |found: &Diagnostic| found.severity == Severity::Error && found.code.name().starts_with("RC01");
        report.into_iter().filter(is_breach).collect::<Vec<_>>()
    };
    let mut broken = breaches(&step.after);
    if !broken.is_empty() {
        let known = breaches(&step.before);
        broken.retain(|new| !known.iter().any(|old| old.code == new.code && old.function == new.function));
    }
    broken
}

/// What a thread that panicked has left is as good as any.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
