//! How much of a tree of CUDA, HIP and OpenCL the built-in front end understands, with nothing installed.
//!
//! Each file is read as `check` reads it, by itself: a header that is not found in the tree is passed over. A *kernel* is counted once for each
//! instance of a template that is analysed, and by itself only if no other file of the tree that includes its file has it, too. It is *analysed* if it is in the IR, and *with unknowns* if it, or a function that it calls, has something in it
//! that is not known. What the reasons are is said with names in them taken out, so that equal reasons are counted together.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use clap::Args;
use reconverge_files::Projects;
use reconverge_lang::diagnostic::Severity;
use reconverge_lang::source::Location;
use reconverge_lang::translate::Translation;

use crate::tree::{Source, sources};

#[derive(Debug, Args)]
pub(crate) struct Survey {
    /// The tree: a folder
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// How many reasons are listed
    #[arg(long, default_value_t = 25, value_name = "N")]
    most: usize,
    /// List each kernel that is left out or has unknowns, with its place and the first reason
    #[arg(long)]
    list: bool,
}

/// What was found in a tree.
#[derive(Debug, Default)]
struct Tally {
    files: usize,
    /// Files that are not read to their ends, with what stopped that.
    unread: Vec<(PathBuf, String)>,
    kernels: Vec<Kernel>,
    bytes: usize,
    time: Duration,
}

/// A kernel as it was found in a file with all that this includes.
#[derive(Debug)]
struct Kernel {
    name: String,
    /// The file that was read.
    root: PathBuf,
    /// The file that it is in, and its line.
    place: (PathBuf, u32),
    /// Why it is left out or has unknowns, and where that is.
    outcome: Outcome,
    /// Whether nothing says what a parameter of a template stands for that it, or a function that it calls, is an instance of.
    is_open: bool,
}

/// What became of a kernel.
#[derive(Debug)]
enum Outcome {
    Known,
    Unknown { reason: String, place: String },
    LeftOut { reason: String, place: String },
}

/// How often each reason was given, with an example.
#[derive(Debug, Default)]
struct Reasons(BTreeMap<String, (usize, String)>);

impl Reasons {
    fn add(&mut self, reason: &str, place: &str) {
        let (count, _) = self.0.entry(without_names(reason)).or_insert_with(|| (0, format!("{reason} ({place})")));
        *count += 1;
    }

    fn count(&self) -> usize {
        self.0.values().map(|(count, _)| count).sum()
    }

    fn print(&self, title: &str, of: usize, most: usize) {
        let mut all: Vec<_> = self.0.iter().collect();
        all.sort_by_key(|&(_, &(count, _))| std::cmp::Reverse(count));
        println!("\n{title}");
        for (reason, (count, example)) in all.iter().take(most) {
            println!("{count:>7} {:>5.1} %  {reason}\n                  such as: {example}", share(*count, of));
        }
        let rest: usize = all.iter().skip(most).map(|(_, (count, _))| count).sum();
        if rest > 0 {
            println!("{rest:>7} {:>5.1} %  {} other reasons", share(rest, of), all.len() - most);
        }
    }
}

/// A message with `…` for each name in it.
fn without_names(message: &str) -> String {
    let parts = message.split('`').enumerate();
    parts.map(|(number, part)| if number % 2 == 0 { part } else { "`…`" }).collect()
}

fn share(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

impl Survey {
    pub(crate) fn run(&self) -> Result<()> {
        ensure!(self.folder.is_dir(), "{} is not a folder", self.folder.display());
        let mut tally = Tally::default();
        let projects = Arc::new(Projects::new([&self.folder]));
        for source in sources(&self.folder)? {
            Survey::read(source?, Arc::clone(&projects), &mut tally);
        }
        tally.keep_each_once();
        tally.print(&self.folder, self);
        Ok(())
    }

    fn read(source: Source, projects: Arc<Projects>, tally: &mut Tally) {
        let file = source.path.clone();
        let start = Instant::now();
        let read = source.read(projects);
        tally.time += start.elapsed();
        if let Some(broken) = read.broken() {
            tally.unread.push((file.clone(), broken));
        }
        let translation = &read.translation;
        tally.bytes += translation.sources.files().iter().map(|file| file.text.len()).sum::<usize>();
        Survey::count(&file, translation, tally);
    }

    fn count(file: &Path, translation: &Translation, tally: &mut Tally) {
        tally.files += 1;
        if let Some(error) = translation.diagnostics.iter().find(|diagnostic| diagnostic.severity == Severity::Error) {
            tally.unread.push((file.to_owned(), error.message.clone()));
        }
        let mut paths: BTreeMap<PathBuf, PathBuf> = BTreeMap::new();
        let mut at = |location| {
            let position = translation.sources.position(location);
            let (path, line) = position.map_or((file, 0), |at| (at.path, at.line));
            let canonical = || fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
            (paths.entry(path.to_owned()).or_insert_with(canonical).clone(), line)
        };
        let text = |(path, line): (PathBuf, u32)| format!("{}:{line}", path.display());
        let (root, _) = at(Location::NONE);
        for left_out in translation.left_out.iter().filter(|left_out| left_out.is_kernel) {
            let (reason, place) = (left_out.reason.message.clone(), text(at(left_out.reason.location)));
            let (name, outcome) = (left_out.name.clone(), Outcome::LeftOut { reason, place });
            let place = at(left_out.location);
            tally.kernels.push(Kernel { name, root: root.clone(), place, outcome, is_open: false });
        }
        for (program, (kernel, data)) in
            translation.program.iter().flat_map(|program| program.functions.iter().map(move |one| (program, one)))
        {
            if !data.is_kernel || data.body.is_none() {
                continue;
            }
            let outcome = match program.first_unknown(kernel) {
                Some(unknown) => {
                    let (reason, place) = (unknown.reason.message.clone(), text(at(unknown.reason.location)));
                    Outcome::Unknown { reason, place }
                }
                None => Outcome::Known,
            };
            tally.kernels.push(Kernel {
                name: data.name.clone(),
                root: root.clone(),
                place: at(data.location),
                outcome,
                is_open: program.first_open(kernel).is_some(),
            });
        }
    }
}

impl Tally {
    /// Forgets the kernels of files by themselves where another file includes them with these kernels: only there they are what they are meant to be.
    fn keep_each_once(&mut self) {
        let is_included = |kernel: &&Kernel| kernel.root != kernel.place.0;
        let included: BTreeSet<_> =
            self.kernels.iter().filter(is_included).map(|kernel| kernel.place.clone()).collect();
        self.kernels.retain(|kernel| kernel.root != kernel.place.0 || !included.contains(&kernel.place));
    }

    fn print(&self, folder: &Path, survey: &Survey) {
        let Tally { files, .. } = self;
        let kernels = self.kernels.len();
        let with_kernels = self.kernels.iter().map(|kernel| &kernel.root).collect::<BTreeSet<_>>().len();
        let (mut left_out, mut unknown) = (Reasons::default(), Reasons::default());
        for kernel in &self.kernels {
            let (reasons, reason, place, what) = match &kernel.outcome {
                Outcome::Known => continue,
                Outcome::Unknown { reason, place } => (&mut unknown, reason, place, "has unknowns"),
                Outcome::LeftOut { reason, place } => (&mut left_out, reason, place, "is left out"),
            };
            reasons.add(reason, place);
            if survey.list {
                println!("{place}: `{}` {what}: {reason}", kernel.name);
            }
        }
        let analysed = kernels - left_out.count();
        println!("{}", folder.display());
        println!("{files:>7}          files, {with_kernels} of them with kernels");
        println!(
            "{:>7} {:>5.1} %  files are read",
            files - self.unread.len(),
            share(files - self.unread.len(), *files)
        );
        println!("{kernels:>7}          kernels");
        println!("{analysed:>7} {:>5.1} %  analysed", share(analysed, kernels));
        let known = analysed - unknown.count();
        println!("{known:>7} {:>5.1} %  analysed without an unknown", share(known, kernels));
        let open = self.kernels.iter().filter(|kernel| kernel.is_open);
        let open_known = open.clone().filter(|kernel| matches!(kernel.outcome, Outcome::Known)).count();
        println!(
            "{:>7} {:>5.1} %  open: nothing says what a template's parameter or a macro stands for; {open_known} of them without an unknown",
            open.clone().count(),
            share(open.count(), kernels)
        );
        let megabytes = self.bytes as f64 / 1e6;
        println!("{megabytes:>7.1} MB       of text with headers, {:.1} MB/s", megabytes / self.time.as_secs_f64());
        for (file, reason) in &self.unread {
            println!("not read: {}: {reason}", file.display());
        }
        if left_out.0.is_empty() && unknown.0.is_empty() {
            return;
        }
        left_out.print("Kernels that are left out, by the first reason", kernels, survey.most);
        let title = "What is unknown, by the number of kernels that it is the first unknown of";
        unknown.print(title, kernels, survey.most);
    }
}
