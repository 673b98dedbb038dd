//! A process that runs inputs, one after the other, under limits that its parent watches.
//!
//! It says on standard output, a JSON object a line, which input it begins with, and what came of it. A panic is caught; whatever ends the process is
//! seen by the parent, which knows which input it was.

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Mutex;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::drive::{Outcome, Place, drive};
use crate::failure::{Failure, Nature};
use crate::input::{Input, Kind, Verb};
use crate::seeds::Seeds;
use crate::{Seeds as Texts, generate};

/// What a worker is asked for: a JSON object on its command line.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Task {
    /// The root of the workspace.
    pub root: PathBuf,
    /// A folder for its files.
    pub folder: PathBuf,
    /// The binary.
    pub binary: Option<PathBuf>,
    /// What to run.
    pub work: Work,
}

/// What to run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Work {
    /// The inputs of seeds, by the names of their verbs.
    Seeds(Vec<(String, u64)>),
    /// Inputs from files, as standard input names them: a JSON object a line.
    Given,
}

/// An input in a file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct GivenInput {
    /// The verb.
    pub verb: String,
    /// The extension of its text.
    pub extension: String,
    /// The text.
    pub text: PathBuf,
    /// The second text.
    pub second: Option<PathBuf>,
    /// What decides the rest.
    pub choices: u64,
}

/// What a worker says.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Report {
    /// It begins with the input of this number in its task.
    Begin(usize),
    /// It is done with it.
    End {
        /// See [`Outcome`].
        past_reader: bool,
        /// See [`Outcome`].
        refused: bool,
        /// See [`Outcome`].
        findings: usize,
        /// Those that this worker has not said before.
        features: Vec<u64>,
        /// Why it was refused, if it was.
        reason: String,
        /// How long it took.
        microseconds: u64,
        /// What went wrong.
        failure: Option<Failure>,
    },
}

static PANIC: Mutex<Option<(String, String)>> = Mutex::new(None);

/// Remembers where a panic was and what it said, in place of printing it.
pub fn remember_panics() {
    std::panic::set_hook(Box::new(|info| {
        let location = info.location().map_or_else(String::new, |at| format!("{}:{}", at.file(), at.line()));
        let message = words(info.payload()).unwrap_or("a panic without words").to_owned();
        // The first one is the cause.
        let mut panic = PANIC.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        panic.get_or_insert((location, message));
    }));
}

/// Runs one input; now and then twice, to see whether the answer is the same. Where [`remember_panics`] was not called before, a
/// panic is printed as always, and the failure has neither its place nor its words.
pub fn attempt(input: &Input, place: &Place<'_>) -> (Outcome, Option<Failure>) {
    *PANIC.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = None;
    let once = || catch_unwind(AssertUnwindSafe(|| drive(input, place)));
    let outcome = match once() {
        Ok(outcome) => outcome,
        Err(payload) => {
            drop(payload);
            let panic = PANIC.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
            let (location, message) = panic.unwrap_or_default();
            let nature = if message.starts_with("timeout") { Nature::Timeout } else { Nature::Panic };
            return (Outcome::default(), Some(Failure { nature, location, message }));
        }
    };
    if input.choices.is_multiple_of(16) && !input.verb.needs_binary() {
        match once() {
            Ok(again) if again == outcome => {}
            _ => {
                let message = format!("two runs of {} gave two answers", input.verb);
                let failure = Failure { nature: Nature::Different, location: String::new(), message };
                return (outcome, Some(failure));
            }
        }
    }
    (outcome, None)
}

/// Does a task, and says so on standard output.
///
/// # Errors
/// When texts cannot be read, or nobody listens.
pub fn work(task: &Task) -> Result<()> {
    remember_panics();
    let seeds = Texts::read(&task.root)?;
    std::fs::create_dir_all(&task.folder)?;
    let place = Place { seeds: &seeds, folder: &task.folder, binary: task.binary.as_deref() };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().context("a thread")?;
    let mut seen = rustc_hash::FxHashSet::default();
    let mut one = |number: usize, input: &dyn Fn(&Seeds) -> Result<Input>| -> Result<()> {
        say(&Report::Begin(number))?;
        let start = std::time::Instant::now();
        let input = input(&seeds)?;
        let (outcome, failure) = attempt(&input, &place);
        let mut features = outcome.features;
        features.retain(|&feature| seen.insert(feature));
        say(&Report::End {
            past_reader: outcome.past_reader,
            refused: outcome.refused,
            findings: outcome.findings,
            features,
            reason: if outcome.past_reader && !outcome.refused { String::new() } else { outcome.reason },
            microseconds: start.elapsed().as_micros() as u64,
            failure,
        })
    };
    match &task.work {
        Work::Seeds(seeds) => {
            for (number, (verb, seed)) in seeds.iter().enumerate() {
                let verb: Verb = verb.parse().map_err(anyhow::Error::msg)?;
                pool_run(&pool, || one(number, &|seeds| Ok(generate(verb, *seed, seeds))))?;
            }
        }
        Work::Given => {
            for (number, line) in std::io::stdin().lines().enumerate() {
                let given: GivenInput = serde_json::from_str(&line?)?;
                pool_run(&pool, || one(number, &|_| read(&given)))?;
            }
        }
    }
    Ok(())
}

/// On the one thread of the pool: what the libraries do in parallel stays on it.
fn pool_run(pool: &rayon::ThreadPool, run: impl FnOnce() -> Result<()> + Send) -> Result<()> {
    pool.install(run)
}

fn read(given: &GivenInput) -> Result<Input> {
    Ok(Input {
        verb: given.verb.parse().map_err(anyhow::Error::msg)?,
        kind: Kind::of_extension(&given.extension),
        text: std::fs::read(&given.text)?,
        second: given.second.as_ref().map(std::fs::read).transpose()?,
        choices: given.choices,
    })
}

fn say(report: &Report) -> Result<()> {
    let mut line = serde_json::to_vec(report)?;
    line.push(b'\n');
    let mut output = std::io::stdout().lock();
    output.write_all(&line)?;
    output.flush()?;
    Ok(())
}

/// What a panic says.
fn words(payload: &dyn std::any::Any) -> Option<&str> {
    payload.downcast_ref::<&str>().copied().or(payload.downcast_ref::<String>().map(String::as_str))
}
