//! How much of a tree of CUDA, HIP and OpenCL the built-in front end understands, with nothing installed.
//!
//! Each file is read as `check` reads it, by itself: a header that is in none of the tree's own folders is passed over. A *kernel* is counted once for each
//! instance of a template that is analysed. It is *analysed* if it is in the IR, and *with unknowns* if it, or a function that it calls, has something in it
//! that is not known. What the reasons are is said with names in them taken out, so that equal reasons are counted together.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Args;
use reconverge_analysis::check::{CheckOptions, check};
use reconverge_lang::diagnostic::Severity;
use reconverge_lang::lower::LowerOptions;
use reconverge_lang::options::{Dialect, Options, Reading, SourceModel};
use reconverge_lang::translate::{Translation, translate};

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
    with_kernels: usize,
    /// Files that are not read to their ends, with what stopped that.
    unread: Vec<(PathBuf, String)>,
    kernels: usize,
    analysed: usize,
    with_unknowns: usize,
    left_out: Reasons,
    unknown: Reasons,
    bytes: usize,
    time: Duration,
}

/// How often each reason was given, with an example.
#[derive(Debug, Default)]
struct Reasons(BTreeMap<String, (usize, String)>);

impl Reasons {
    fn add(&mut self, reason: &str, place: impl FnOnce() -> String) {
        let (count, _) = self.0.entry(without_names(reason)).or_insert_with(|| (0, format!("{reason} ({})", place())));
        *count += 1;
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
        let mut files = Vec::new();
        collect(&self.folder, &mut files)?;
        files.sort();
        let mut tally = Tally::default();
        for file in &files {
            self.read(file, &mut tally)?;
        }
        tally.print(&self.folder, self.most);
        Ok(())
    }

    fn read(&self, file: &Path, tally: &mut Tally) -> Result<()> {
        let Some(dialect) = dialect(file) else { return Ok(()) };
        let text = fs::read(file).with_context(|| file.display().to_string())?;
        let options =
            Options { reading: Reading::Kernels, include: own_folders(&self.folder, file), ..Options::new(dialect) };
        let start = Instant::now();
        let translation = translate(file, text, &options, SourceModel::default());
        let lowered = translation.lower(&LowerOptions { tokens: true, ..LowerOptions::default() });
        tally.time += start.elapsed();
        let broken = lowered.and_then(|lowered| match check(&lowered.text, &CheckOptions::default()) {
            Ok(report) => {
                let diagnostics = report.diagnostics();
                diagnostics.iter().find(|found| found.code.name() < "RC02").map(|found| found.message.clone())
            }
            Err(error) => Some(error.to_string()),
        });
        if let Some(broken) = broken {
            tally.unread.push((file.to_owned(), format!("what is made of it is no valid IR: {broken}")));
        }
        tally.bytes += translation.sources.files().iter().map(|file| file.text.len()).sum::<usize>();
        self.count(file, &translation, tally);
        Ok(())
    }

    fn count(&self, file: &Path, translation: &Translation, tally: &mut Tally) {
        tally.files += 1;
        let place = |location| {
            translation
                .sources
                .position(location)
                .map_or(file.display().to_string(), |at| format!("{}:{}", at.path.display(), at.line))
        };
        if let Some(error) = translation.diagnostics.iter().find(|diagnostic| diagnostic.severity == Severity::Error) {
            tally.unread.push((file.to_owned(), error.message.clone()));
        }
        let before = tally.kernels;
        for left_out in translation.left_out.iter().filter(|left_out| left_out.is_kernel) {
            tally.kernels += 1;
            tally.left_out.add(&left_out.reason.message, || place(left_out.reason.location));
            if self.list {
                println!("{}: `{}` is left out: {}", place(left_out.location), left_out.name, left_out.reason.message);
            }
        }
        for (program, (kernel, data)) in
            translation.program.iter().flat_map(|program| program.functions.iter().map(move |one| (program, one)))
        {
            if !data.is_kernel || data.body.is_none() {
                continue;
            }
            tally.kernels += 1;
            tally.analysed += 1;
            if let Some(unknown) = program.first_unknown(kernel) {
                tally.with_unknowns += 1;
                tally.unknown.add(&unknown.reason.message, || place(unknown.reason.location));
                if self.list {
                    println!(
                        "{}: `{}` has unknowns: {}",
                        place(unknown.reason.location),
                        data.name,
                        unknown.reason.message
                    );
                }
            }
        }
        tally.with_kernels += usize::from(tally.kernels > before);
    }
}

impl Tally {
    fn print(&self, folder: &Path, most: usize) {
        let Tally { files, with_kernels, kernels, analysed, with_unknowns, .. } = self;
        println!("{}", folder.display());
        println!("{files:>7}          files, {with_kernels} of them with kernels");
        println!(
            "{:>7} {:>5.1} %  files are read",
            files - self.unread.len(),
            share(files - self.unread.len(), *files)
        );
        println!("{kernels:>7}          kernels");
        println!("{analysed:>7} {:>5.1} %  analysed", share(*analysed, *kernels));
        println!(
            "{:>7} {:>5.1} %  analysed without an unknown",
            analysed - with_unknowns,
            share(analysed - with_unknowns, *kernels)
        );
        let megabytes = self.bytes as f64 / 1e6;
        println!("{megabytes:>7.1} MB       of text with headers, {:.1} MB/s", megabytes / self.time.as_secs_f64());
        for (file, reason) in &self.unread {
            println!("not read: {}: {reason}", file.display());
        }
        if self.left_out.0.is_empty() && self.unknown.0.is_empty() {
            return;
        }
        self.left_out.print("Kernels that are left out, by the first reason", *kernels, most);
        self.unknown.print("What is unknown, by the number of kernels that it is the first unknown of", *kernels, most);
    }
}

/// All files under a folder.
fn collect(folder: &Path, into: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let entry = entry?;
        let (path, kind) = (entry.path(), entry.file_type()?);
        if kind.is_dir() {
            collect(&path, into)?;
        } else if kind.is_file() {
            into.push(path);
        }
    }
    Ok(())
}

/// The language of a file of a project, by its extension. Files of C and C++ have no kernels.
fn dialect(file: &Path) -> Option<Dialect> {
    match file.extension()?.to_str()? {
        "cu" => Some(Dialect::Cuda),
        "hip" => Some(Dialect::Hip),
        "cl" => Some(Dialect::OpenCl),
        _ => None,
    }
}

/// Where the headers of a file's project are: the folders that it is in, and their folders of headers.
fn own_folders(root: &Path, file: &Path) -> Vec<PathBuf> {
    let around = file.ancestors().skip(1).take_while(|folder| folder.starts_with(root));
    let all = around.flat_map(|folder| {
        let inside = ["include", "inc", "includes", "common", "Common", "src"].map(|name| folder.join(name));
        std::iter::once(folder.to_owned()).chain(inside)
    });
    all.filter(|folder| folder.is_dir()).collect()
}
