//! The first step of a pipeline that is a find.
//!
//! Steps come out of opt one after the other, and any number of threads look at them; opt waits while they are busy, so no more modules are held
//! than there are threads. Steps behind one that is a find are not looked at, all before it are: what is found is the first, however the
//! threads run.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rayon::iter::{ParallelBridge, ParallelIterator};
use reconverge::{FileSystem, ValidateOptions};
use reconverge_analysis::check::{CheckOptions, CheckReport, check};
use reconverge_analysis::target::Target;
use reconverge_exec::Program;
use reconverge_findings::{Finding, Severity};
use reconverge_validate::{Comparison, Launches, Options, Verdict, compare, compare_on};

use super::changes::Fingerprints;
use super::dumps::PassRun;
use super::opt::Running;

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
    Different(Box<Comparison>),
    /// The static rules are broken, and were not before.
    Rules(Vec<Finding>),
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
    /// Those that were looked at.
    pub(super) done: AtomicUsize,
    /// The last pass.
    pub(super) last: Mutex<Option<PassRun>>,
    last_step: Mutex<Option<Step>>,
    found: Mutex<Option<Found>>,
    /// What was done with each step, by its index.
    judged: Mutex<BTreeMap<usize, Judged>>,
    /// The launches of each kernel that say something of the program that opt starts with; none where it has no such kernel, or cannot run it.
    launches: Mutex<BTreeMap<String, LaunchesOnce>>,
}

type LaunchesOnce = Arc<OnceLock<Option<Launches>>>;

/// What was done with a step.
#[derive(Default)]
struct Judged {
    why: Option<Why>,
    /// Whether a kernel was compared that it changed.
    is_compared: bool,
    runs: u64,
    /// Why kernels could not be compared.
    failures: BTreeSet<String>,
}

/// What was looked at.
#[derive(Default)]
pub(super) struct Seen {
    pub(super) steps: usize,
    /// The steps in which a kernel was compared that they changed.
    pub(super) compared: usize,
    pub(super) runs: u64,
    /// The steps in which a kernel could not be.
    pub(super) failed: usize,
    /// Why kernels could not be compared, with the number of steps.
    pub(super) failures: Vec<(String, usize)>,
}

/// What a search is for.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'a> {
    pub(super) options: &'a ValidateOptions,
    pub(super) target: Option<&'a Target>,
    pub(super) files: &'a dyn FileSystem,
}

impl Search {
    /// Looks at all steps. Afterwards all that opt has to say is read, unless something is found or it could not be read.
    ///
    /// # Errors
    /// When the output of opt cannot be read.
    pub(super) fn run(&self, running: &mut Running, initial: Arc<[u8]>, wanted: Wanted<'_>) -> std::io::Result<()> {
        let mut failure = None;
        let mut before = Arc::clone(&initial);
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
                let mut judged = Judged::default();
                judge(&step, wanted, &|kernel, options| self.launches(&initial, wanted, kernel, options), &mut judged);
                let why = judged.why.take();
                lock(&self.judged).insert(step.index, judged);
                if let Some(why) = why {
                    self.note_find(Found { step, why });
                }
                self.done.fetch_add(1, Ordering::Relaxed);
            }
        });
        failure.map_or(Ok(()), Err)
    }

    /// The launches of a kernel, chosen by the first step that asks for them.
    fn launches(&self, initial: &[u8], wanted: Wanted<'_>, kernel: &str, options: &Options) -> LaunchesOnce {
        let once = Arc::clone(lock(&self.launches).entry(kernel.to_owned()).or_default());
        once.get_or_init(|| {
            let program = Program::prepare(initial, MODULE, wanted.target).ok()?;
            Launches::choose(&program, kernel, options).ok()
        });
        once
    }

    /// The first find.
    pub(super) fn found(&self) -> Option<Found> {
        lock(&self.found).take()
    }

    /// The last pass that changed something.
    pub(super) fn last_step(&self) -> Option<Step> {
        lock(&self.last_step).take()
    }

    /// What was looked at up to a step, or in all: the same, however the threads ran.
    pub(super) fn seen(&self, last: Option<usize>) -> Seen {
        let judged = lock(&self.judged);
        let last = last.unwrap_or_else(|| self.steps.load(Ordering::Relaxed));
        let mut seen = Seen { steps: last, ..Seen::default() };
        let mut failures: BTreeMap<&String, usize> = BTreeMap::new();
        for one in judged.range(..=last).map(|(_, one)| one) {
            seen.compared += usize::from(one.is_compared);
            seen.runs += one.runs;
            seen.failed += usize::from(!one.failures.is_empty());
            one.failures.iter().for_each(|reason| *failures.entry(reason).or_default() += 1);
        }
        seen.failures = failures.into_iter().map(|(reason, count)| (reason.clone(), count)).collect();
        seen.failures.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        seen
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
}

/// Whether a step is a find.
fn judge(step: &Step, wanted: Wanted<'_>, launches: &dyn Fn(&str, &Options) -> LaunchesOnce, judged: &mut Judged) {
    let broken = new_breaches(step, wanted.target);
    if !broken.is_empty() {
        judged.why = Some(Why::Rules(broken));
        return;
    }
    let prepare = |text| Program::prepare(text, MODULE, wanted.target);
    let (before, after) = match (prepare(&step.before), prepare(&step.after)) {
        (Ok(before), Ok(after)) => (before, after),
        (Err(error), _) | (_, Err(error)) => {
            judged.failures.insert(without_place(&error.to_string()));
            return;
        }
    };
    let kernels = match wanted.options.kernels(&before, &after, wanted.files) {
        Ok(kernels) => kernels,
        Err(refusal) => {
            judged.failures.insert(refusal.message);
            return;
        }
    };
    let prints = [Fingerprints::new(&step.before), Fingerprints::new(&step.after)];
    for kernel in kernels.names {
        let [old, new] = [&prints[0], &prints[1]].map(|prints| prints.of(&kernel));
        let exists = before.function(&kernel).is_some() && after.function(&kernel).is_some();
        // What a pass takes out because nothing needs it communicates with nobody.
        if !exists || old.is_some() && old == new {
            continue;
        }
        let options = match wanted.options.of_kernel(&before, &after, &kernel, wanted.files) {
            Ok(options) => options,
            Err(refusal) => {
                judged.failures.insert(refusal.message);
                continue;
            }
        };
        let comparison = match launches(&kernel, &options).get() {
            Some(Some(launches)) => compare_on(launches, &before, &after, &kernel, &options),
            _ => compare(&before, &after, &kernel, &options, &|_| ()),
        };
        judged.runs += comparison.runs;
        match &comparison.verdict {
            Verdict::Different(_) => {
                judged.is_compared = true;
                judged.why = Some(Why::Different(Box::new(comparison)));
                return;
            }
            Verdict::NotCompared(reason) => {
                judged.failures.insert(format!("@{kernel}: {}", without_place(reason)));
            }
            Verdict::Equal | Verdict::Proved { .. } => judged.is_compared = true,
        }
    }
}

/// What messages call a module between two passes.
const MODULE: &str = "module";

/// A message without the line and column, which are others behind each pass.
fn without_place(message: &str) -> String {
    let Some((before, rest)) = message.split_once(&format!("{MODULE}:")) else { return message.to_owned() };
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ':').trim_start();
    format!("{before}{rest}")
}

/// Breaches of the static rules that there are behind a pass and were not before.
fn new_breaches(step: &Step, target: Option<&Target>) -> Vec<Finding> {
    let has_control = memchr::memmem::find(&step.after, b"convergence").is_some();
    if !has_control {
        return Vec::new();
    }
    let options = CheckOptions { target, ..CheckOptions::default() };
    let breaches = |text| {
        let Ok(report) = check(text, &options) else { return Vec::new() };
        let CheckReport { module, findings, .. } = report;
        let is_breach = |found: &Finding| found.severity == Severity::Error && found.code.name().starts_with("RC01");
        let name = |found: &Finding| found.at.function.map(|id| module.function_name(id));
        findings.into_iter().filter(is_breach).map(|found| (name(&found), found)).collect::<Vec<_>>()
    };
    let mut broken = breaches(&step.after);
    if !broken.is_empty() {
        let known = breaches(&step.before);
        broken.retain(|(name, new)| !known.iter().any(|(known, old)| old.code == new.code && known == name));
    }
    broken.into_iter().map(|(_, found)| found).collect()
}

/// What a thread that panicked has left is as good as any.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_do_not_depend_on_lines() {
        assert_eq!(without_place("module:12:3: expected a type"), "expected a type");
        assert_eq!(without_place("all launches were inconclusive"), "all launches were inconclusive");
    }
}
