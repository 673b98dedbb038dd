//! Files of a real tree with damages: nothing panics, hangs or takes the machine, no IR is made that is not valid, and what was before the
//! damage is analysed as it was.
//!
//! Each input is a file of the tree, all of equal weight, of which a third is cut somewhere and the others are damaged in one place. A kernel is
//! *before* the damage if the next kernel of the file is, too: then all of it is. Instances of templates do not count, as launches that come later
//! make them. Inputs are read in processes of their own, a few hundred in each, so that nothing that one does ends the others.

use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use reconverge_files::Projects;
use reconverge_testing::damage::{Damaged, cut, damage};
use reconverge_testing::random::SplitMix64;
use wait4::Wait4;

use crate::tree::{Read, Source, sources};

/// Inputs of one process.
const CHUNK: u64 = 500;
/// An input that takes longer hangs.
const LONGEST: Duration = Duration::from_secs(120);
/// How a process says which input comes next, and what is wrong with one.
const NEXT: &str = "next ";
const WRONG: &str = "wrong ";
const DONE: &str = "done ";

#[derive(Debug, Args)]
pub(crate) struct Damage {
    /// The tree: a folder
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// How many inputs
    #[arg(long, default_value_t = 10_000)]
    inputs: u64,
    /// The seed of the first
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many processes
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Write the input of the first seed to this file, and do not read it
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
    /// Be one of the processes
    #[arg(long, hide = true)]
    worker: bool,
}

/// What the processes found.
#[derive(Debug, Default)]
struct Found {
    inputs: u64,
    /// Kernels before the damage of their file.
    kernels: u64,
    problems: usize,
    /// The largest memory that a process had, in bytes.
    memory: u64,
    /// The longest that an input took.
    longest: Duration,
}

/// A kernel of the file that was damaged: its name and its line.
type Kernel = (String, u32);

impl Damage {
    pub(crate) fn run(&self) -> Result<()> {
        ensure!(self.folder.is_dir(), "{} is not a folder", self.folder.display());
        if self.worker {
            return self.work();
        }
        if let Some(path) = &self.write {
            let sources = self.sources()?;
            let (source, damaged) = input(&sources, self.seed);
            println!("{}: {} at byte {}", sources[source].path.display(), damaged.what, damaged.begin);
            return std::fs::write(path, damaged.text).with_context(|| path.display().to_string());
        }
        let (found, next) = (Mutex::new(Found::default()), AtomicU64::new(0));
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..self.jobs).map(|_| scope.spawn(|| self.drive(&next, &found))).collect();
            workers.into_iter().try_for_each(|worker| worker.join().expect("a thread that does not panic"))
        })?;
        let found = found.into_inner().expect("no thread panicked");
        println!(
            "{} inputs of {}: {} problems; {} kernels before a damage, analysed as without it but for those; at most {:.2} s an input and {} MB a process",
            found.inputs,
            self.folder.display(),
            found.problems,
            found.kernels,
            found.longest.as_secs_f64(),
            found.memory / 1_000_000
        );
        ensure!(found.problems == 0, "{} problems", found.problems);
        Ok(())
    }

    /// The files that something can be lost of.
    fn sources(&self) -> Result<Vec<Source>> {
        let sources: Vec<Source> = sources(&self.folder)?.collect::<Result<_>>()?;
        let sources: Vec<Source> = sources.into_iter().filter(|source| !source.text.is_empty()).collect();
        ensure!(!sources.is_empty(), "{} has no sources", self.folder.display());
        Ok(sources)
    }

    /// Starts processes until all inputs are read.
    fn drive(&self, next: &AtomicU64, found: &Mutex<Found>) -> Result<()> {
        loop {
            let begin = next.fetch_add(CHUNK, Ordering::Relaxed);
            if begin >= self.inputs {
                return Ok(());
            }
            let (mut first, end) = (self.seed + begin, self.seed + (begin + CHUNK).min(self.inputs));
            // What ends a process costs its input only.
            while first < end {
                first = self.chunk(first, end, found)?;
            }
        }
    }

    /// One process, from a seed to an end; the seed that comes next.
    fn chunk(&self, first: u64, end: u64, found: &Mutex<Found>) -> Result<u64> {
        let mut child = Command::new(std::env::current_exe()?)
            .arg("damage")
            .arg(&self.folder)
            .args(["--worker", "--seed", &first.to_string(), "--inputs", &(end - first).to_string()])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let (mut at, mut problems, mut done) = (None, 0, None);
        for line in lines.map_while(Result::ok) {
            if let Some(seed) = line.strip_prefix(NEXT) {
                at = Some(seed.parse::<u64>()?);
            } else if let Some(problem) = line.strip_prefix(WRONG) {
                println!("{problem}");
                problems += 1;
            } else if let Some(counts) = line.strip_prefix(DONE) {
                done = counts.split_once(' ').map(|(one, other)| (one.to_owned(), other.to_owned()));
            }
        }
        let used = child.wait4()?;
        let Some(at) = at else { bail!("a process did not start: {:?}", used.status) };
        if done.is_none() {
            println!("seed {at}: the process ended with {:?}", used.status);
            problems += 1;
        }
        let mut found = found.lock().expect("no thread panicked");
        found.inputs += at + 1 - first;
        found.problems += problems;
        found.memory = found.memory.max(used.rusage.maxrss);
        if let Some((kernels, longest)) = done {
            found.kernels += kernels.parse::<u64>()?;
            found.longest = found.longest.max(Duration::from_millis(longest.parse()?));
        }
        Ok(at + 1)
    }

    fn work(&self) -> Result<()> {
        let sources = self.sources()?;
        let projects = Arc::new(Projects::new([&self.folder]));
        let mut whole: HashMap<usize, Vec<Kernel>> = HashMap::new();
        let (mut kernels, mut longest) = (0, Duration::ZERO);
        for seed in self.seed..self.seed + self.inputs {
            println!("{NEXT}{seed}");
            let (index, damaged) = input(&sources, seed);
            let source = &sources[index];
            let whole = whole.entry(index).or_insert_with(|| of_file(&source.clone().read(Arc::clone(&projects))));
            let line = 1 + damaged.text[..damaged.begin].iter().filter(|&&byte| byte == b'\n').count() as u32;
            let before = before(whole, line);
            kernels += before.len();
            let (watch, start) = (Watch::new(seed), Instant::now());
            let wrong = wrong(Source { text: damaged.text, ..source.clone() }, &projects, before);
            longest = longest.max(start.elapsed());
            drop(watch);
            if let Some(wrong) = wrong {
                println!("{WRONG}seed {seed}: {}, line {line}, {}: {wrong}", source.path.display(), damaged.what);
            }
        }
        println!("{DONE}{kernels} {}", longest.as_millis());
        Ok(())
    }
}

/// The file of an input, and what it is now.
fn input(sources: &[Source], seed: u64) -> (usize, Damaged) {
    let mut random = SplitMix64::new(seed);
    let index = random.below(sources.len());
    let text = &sources[index].text;
    let damaged = if random.below(3) == 0 { cut(text, &mut random) } else { damage(text, &mut random) };
    (index, damaged)
}

/// What is wrong with what a damaged file gives.
fn wrong(source: Source, projects: &Arc<Projects>, before: &[Kernel]) -> Option<String> {
    let read = catch_unwind(AssertUnwindSafe(|| {
        let read = source.read(Arc::clone(projects));
        (of_file(&read), read.broken())
    }));
    let Ok((kernels, broken)) = read else { return Some("a panic".to_owned()) };
    let lost = before.iter().find(|kernel| !kernels.contains(kernel));
    broken.or_else(|| lost.map(|(name, line)| format!("the kernel {name} of line {line} is lost")))
}

/// The analysed kernels of the file itself in the order of their lines, but for instances of templates.
fn of_file(read: &Read) -> Vec<Kernel> {
    let translation = &read.translation;
    let functions = translation.program.iter().flat_map(|program| program.functions.iter());
    let kernels = functions.filter(|(_, data)| data.is_kernel && data.body.is_some() && !data.name.contains('<'));
    let placed = kernels.filter_map(|(_, data)| {
        let (file, line, _) = translation.sources.line(data.location)?;
        (file == 0).then(|| (data.name.clone(), line))
    });
    let mut kernels: Vec<Kernel> = placed.collect();
    kernels.sort_by_key(|&(_, line)| line);
    kernels
}

/// Those after which another kernel begins before a line.
fn before(kernels: &[Kernel], line: u32) -> &[Kernel] {
    let begun = kernels.partition_point(|&(_, begin)| begin < line);
    &kernels[..begun.saturating_sub(1)]
}

/// Ends the process if it is kept for too long.
struct Watch(Arc<Mutex<bool>>);

impl Watch {
    fn new(seed: u64) -> Watch {
        let over = Arc::new(Mutex::new(false));
        let (start, seen) = (Instant::now(), Arc::clone(&over));
        std::thread::spawn(move || {
            while !*seen.lock().expect("no thread panicked") {
                if start.elapsed() > LONGEST {
                    println!("{WRONG}seed {seed}: takes longer than {LONGEST:?}");
                    std::process::exit(3);
                }
                std::thread::sleep(Duration::from_millis(200));
            }
        });
        Watch(over)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        *self.0.lock().expect("no thread panicked") = true;
    }
}
