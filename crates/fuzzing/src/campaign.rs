//! Many inputs on some workers, each a process: the parent watches time and memory, and knows which input it was when one ends.

use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use reconverge_testing::random::SplitMix64;
use rustc_hash::FxHashSet;

use crate::failure::{Failure, Nature};
use crate::input::Verb;
use crate::summary::{Found, Summary};
use crate::worker::{Report, Task, Work};

/// What every input may take.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Processor time.
    pub time: Duration,
    /// Time by the clock, for what waits and does nothing.
    pub waiting: Duration,
    /// Resident memory, in bytes.
    pub memory: u64,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { time: Duration::from_secs(10), waiting: Duration::from_secs(60), memory: 1 << 30 }
    }
}

/// What is asked for.
#[derive(Debug, Clone)]
pub struct Campaign {
    /// The root of the workspace.
    pub root: PathBuf,
    /// The program of the workers.
    pub worker: PathBuf,
    /// The binary.
    pub binary: Option<PathBuf>,
    /// The verbs; with several, each gets its share of the mix.
    pub verbs: Vec<Verb>,
    /// How many inputs.
    pub inputs: u64,
    /// The seed of the first.
    pub seed: u64,
    /// How many workers.
    pub jobs: usize,
    /// When to stop, whatever is left.
    pub until: Option<Instant>,
    /// What every input may take.
    pub bounds: Bounds,
}

/// So many inputs a process: what one leaves behind is gone with it.
const BATCH: u64 = 1500;

impl Campaign {
    /// The verb of an input, by its number.
    pub fn verb(&self, number: u64) -> Verb {
        let share =
            |verb: Verb| Verb::ALL.iter().find(|(of, ..)| *of == verb).map_or(0, |&(_, _, share)| share as usize);
        let total: usize = self.verbs.iter().map(|&verb| share(verb)).sum();
        let mut drawn = SplitMix64::new(self.seed.wrapping_add(number)).below(total.max(1));
        for &verb in &self.verbs {
            match drawn.checked_sub(share(verb)) {
                Some(rest) => drawn = rest,
                None => return verb,
            }
        }
        self.verbs[0]
    }

    /// Runs all inputs; `progress` is told after each batch.
    ///
    /// # Errors
    /// When a worker cannot be started.
    pub fn run(&self, progress: &(dyn Fn(&Summary) + Sync)) -> Result<Summary> {
        let next = Mutex::new(0_u64);
        let total = Mutex::new(Summary::new(&self.verbs));
        let folder =
            tempfile::Builder::new().prefix("reconverge-fuzz-").tempdir().context("a folder for the workers")?;
        let lock = |mutex: &Mutex<u64>| {
            let mut next = mutex.lock().unwrap_or_else(PoisonError::into_inner);
            let start = *next;
            let size = BATCH.min(self.inputs.div_ceil(self.jobs as u64).max(1));
            *next = (start + size).min(self.inputs);
            start..*next
        };
        let job = |index: usize| -> Result<()> {
            loop {
                let batch = lock(&next);
                if batch.is_empty() || self.until.is_some_and(|until| Instant::now() >= until) {
                    return Ok(());
                }
                let inputs: Vec<(Verb, u64)> =
                    batch.map(|number| (self.verb(number), self.seed.wrapping_add(number))).collect();
                let mut of_batch = Summary::new(&self.verbs);
                self.batch(&folder.path().join(index.to_string()), inputs, &mut of_batch)?;
                let mut total = total.lock().unwrap_or_else(PoisonError::into_inner);
                total.add(of_batch);
                progress(&total);
            }
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.jobs).map(|index| scope.spawn(move || job(index))).collect();
            threads.into_iter().try_for_each(|thread| thread.join().expect("a job does not panic"))
        })?;
        Ok(total.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// Runs some inputs, with as many processes as it takes.
    fn batch(&self, folder: &Path, inputs: Vec<(Verb, u64)>, summary: &mut Summary) -> Result<()> {
        let mut left: VecDeque<(Verb, u64)> = inputs.into();
        while !left.is_empty() {
            let names = left.iter().map(|(verb, seed)| (verb.name().to_owned(), *seed)).collect();
            let mut worker = self.start(folder, Work::Seeds(names))?;
            while let Some(&(verb, seed)) = left.front() {
                if self.until.is_some_and(|until| Instant::now() >= until) {
                    worker.kill();
                    return Ok(());
                }
                let failure = match worker.next(&self.bounds) {
                    Ok(Report::Begin(_)) => continue,
                    Ok(Report::End { past_reader, refused, findings, features, reason, microseconds, failure }) => {
                        summary.count((verb, seed), past_reader, refused, findings, microseconds);
                        summary.refuse(verb, reason);
                        for feature in features {
                            summary.see(feature, verb, seed);
                        }
                        left.pop_front();
                        if let Some(failure) = failure {
                            summary.fail(Found { verb, seed, failure });
                        }
                        continue;
                    }
                    Err(failure) => failure,
                };
                left.pop_front();
                summary.count((verb, seed), false, false, 0, 0);
                summary.fail(Found { verb, seed, failure });
                break;
            }
            worker.kill();
        }
        Ok(())
    }

    /// Starts a worker.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(&self, folder: &Path, work: Work) -> Result<Worker> {
        std::fs::create_dir_all(folder)?;
        let given = matches!(work, Work::Given);
        let task = Task { root: self.root.clone(), folder: folder.to_owned(), binary: self.binary.clone(), work };
        let messages = folder.join("messages");
        let mut child = Command::new(&self.worker)
            .arg(serde_json::to_string(&task)?)
            .stdin(if given { Stdio::piped() } else { Stdio::null() })
            .stdout(Stdio::piped())
            .stderr(File::create(&messages)?)
            .env("RUST_BACKTRACE", "0")
            .spawn()
            .with_context(|| format!("{} cannot be started", self.worker.display()))?;
        let output = BufReader::new(child.stdout.take().context("its output is a pipe")?);
        let (sender, reports) = mpsc::channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                let Ok(report) = serde_json::from_str(&line) else { continue };
                if sender.send(report).is_err() {
                    break;
                }
            }
        });
        Ok(Worker { input: child.stdin.take(), child, reports, messages, began: None })
    }
}

/// A running worker.
#[derive(Debug)]
pub struct Worker {
    child: Child,
    /// Where inputs are named, if they are.
    pub input: Option<ChildStdin>,
    reports: Receiver<Report>,
    messages: PathBuf,
    /// When the input began, by the clock and by the processor time of the worker.
    began: Option<(Instant, Duration)>,
}

impl Worker {
    /// What it says next.
    ///
    /// # Errors
    /// When it ended, or does not keep its limits; it is over then.
    pub fn next(&mut self, bounds: &Bounds) -> Result<Report, Failure> {
        let tick = Duration::from_millis(20);
        loop {
            match self.reports.recv_timeout(tick) {
                Ok(report) => {
                    // The processor time is asked for when it matters.
                    self.began = matches!(report, Report::Begin(_)).then(|| (Instant::now(), Duration::MAX));
                    return Ok(report);
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let status = self.child.wait().map_or_else(|error| error.to_string(), |status| status.to_string());
                    let said = std::fs::read_to_string(&self.messages).unwrap_or_default();
                    let last = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default().to_owned();
                    let message = format!("{last}: {status}");
                    return Err(Failure { nature: Nature::Abort, location: String::new(), message });
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            let over = |nature, message: String| Err(Failure { nature, location: String::new(), message });
            // Reading the texts is no input yet.
            let process = self.child.id();
            if let Some((began, used_before)) = &mut self.began {
                let used = processor_time(process);
                *used_before = (*used_before).min(used.unwrap_or(Duration::MAX));
                let taken = used.map_or_else(|| began.elapsed(), |used| used - *used_before);
                if taken > bounds.time || began.elapsed() > bounds.waiting {
                    self.kill();
                    return over(Nature::Timeout, format!("above {} s", bounds.time.as_secs()));
                }
            }
            if resident(self.child.id()).is_some_and(|bytes| bytes > bounds.memory) {
                self.kill();
                return over(Nature::Memory, format!("above {} MB", bounds.memory >> 20));
            }
        }
    }

    /// Names an input.
    ///
    /// # Errors
    /// When nobody listens.
    pub fn give(&mut self, line: &str) -> std::io::Result<()> {
        let Some(input) = &mut self.input else { return Ok(()) };
        writeln!(input, "{line}")?;
        input.flush()
    }

    /// Ends it.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The processor time of a process, where the system says it.
fn processor_time(process: u32) -> Option<Duration> {
    const TICKS_PER_SECOND: u64 = 100;
    let status = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program, in parentheses, may have anything in it.
    let mut fields = status.rsplit_once(") ")?.1.split(' ').skip(11);
    let mut ticks = || fields.next()?.parse::<u64>().ok();
    let (user, system) = (ticks()?, ticks()?);
    Some(Duration::from_millis((user + system) * 1000 / TICKS_PER_SECOND))
}

/// The resident memory of a process, where the system says it.
fn resident(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
    let pages: u64 = status.split(' ').nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

/// Failures, the first of each cause.
pub fn distinct(found: &[Found]) -> Vec<&Found> {
    let mut seen = FxHashSet::default();
    found.iter().filter(|found| seen.insert((found.verb, found.failure.key()))).collect()
}

/// How many failures each cause has.
pub fn tally(found: &[Found]) -> BTreeMap<(Verb, String), usize> {
    let mut tally = BTreeMap::new();
    for found in found {
        *tally.entry((found.verb, found.failure.key())).or_default() += 1;
    }
    tally
}
