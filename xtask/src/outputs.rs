//! What the binary says of many inputs: every verb and format, as files to be compared with what another build says.
//!
//! `cargo xtask outputs -o before`, a change, `cargo xtask outputs -o after`, `diff -ru before after`: each difference is one that is wanted, or a
//! mistake. An input and a command are a file of their own, with the exit status and both streams. The inputs are the kept ones; more can be named.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result, ensure};
use clap::Args;
use reconverge_testing::corpus::workspace;

use crate::bisect_corpus::build;

#[derive(Debug, Args)]
pub(crate) struct Outputs {
    /// The folder to write to, which may not be there yet
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,
    /// The binary [default: built for this]
    #[arg(long, value_name = "PATH")]
    binary: Option<PathBuf>,
    /// More inputs: files and folders, beside examples, tests/cases and fuzz/corpus
    #[arg(value_name = "INPUT")]
    inputs: Vec<PathBuf>,
}

const KEPT: &[&str] = &["examples", "tests/cases", "fuzz/corpus/ir", "fuzz/corpus/source"];

/// Commands for every input; `{}` is the input.
const ANY: &[&str] = &[
    "check {} -v",
    "check {} --format json",
    "check {} --format sarif",
    "check {} --target generic",
    "uniformity {}",
    "uniformity {} --format json",
    "uniformity {} --scope workgroup",
    "cycles {}",
    "cycles {} --format json --all-hierarchies",
    "regions {}",
    "regions {} --format json",
    "validate {} {} --runs 5",
    "run {} --block 8 --max-instructions 100K",
];
/// For IR.
const IR: &[&str] = &[
    "transform infer-tokens {} -o -",
    "transform strip-tokens {} -o -",
    "transform reduce-cycles {} -o -",
    "transform hoist-anchors {} -o -",
    "transform sink-anchors {} -o -",
    "transform hoist-operations {} -o -",
    "transform sink-operations {} -o -",
    "transform infer-noconvergent {} -o -",
    "transform inline {} -o -",
    "transform unroll=2 {} -o -",
];
/// For source.
const SOURCE: &[&str] = &[
    "lower {} -o -",
    "lower {} -o - --model tangles-2024-10",
    "check {} --model clang-2025-08",
    "check {} --model tangles-2024-10 --format json",
];

impl Outputs {
    pub(crate) fn run(&self) -> Result<()> {
        ensure!(!self.output.exists(), "{} exists: what an earlier run wrote there would stay", self.output.display());
        let binary = match &self.binary {
            Some(path) => path.canonicalize().with_context(|| path.display().to_string())?,
            None => build()?,
        };
        let root = workspace();
        let mut inputs = Vec::new();
        for input in KEPT.iter().map(|kept| root.join(kept)).chain(self.inputs.iter().cloned()) {
            collect(&input, &mut inputs)?;
        }
        inputs.sort();
        let commands: BTreeMap<String, Vec<String>> = inputs.iter().flat_map(|input| commands(input, &root)).collect();
        let commands: Vec<(String, Vec<String>)> = commands.into_iter().collect();
        fs::create_dir_all(&self.output)?;
        let next = AtomicUsize::new(0);
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let work = || -> Result<()> {
            while let Some((name, arguments)) = commands.get(next.fetch_add(1, Ordering::Relaxed)) {
                fs::write(self.output.join(name), said(&binary, &root, arguments)?)?;
            }
            Ok(())
        };
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            workers.into_iter().try_for_each(|worker| worker.join().expect("workers do not panic"))
        })?;
        println!("{} outputs of {} inputs are in {}", commands.len(), inputs.len(), self.output.display());
        Ok(())
    }
}

/// The files of a folder that are inputs.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in fs::read_dir(path).with_context(|| path.display().to_string())? {
        let path = entry?.path();
        let is_input =
            path.extension().is_some_and(|end| ["ll", "cl", "cu", "hip", "c", "cpp"].iter().any(|&one| end == one));
        if path.is_dir() || is_input {
            collect(&path, files)?;
        }
    }
    Ok(())
}

/// The commands for an input, by the names of the files that their output goes to.
fn commands(input: &Path, root: &Path) -> Vec<(String, Vec<String>)> {
    let path = input.strip_prefix(root).unwrap_or(input).display().to_string();
    let more = if path.ends_with(".ll") { IR } else { SOURCE };
    let name = |command: &str| {
        let plain = |text: &str| text.replace(|letter: char| !letter.is_ascii_alphanumeric() && letter != '.', "_");
        format!("{}.{}", plain(&path), plain(&command.replace("{}", "")))
    };
    let words = |command: &str| {
        command.split(' ').map(|word| if word == "{}" { path.clone() } else { word.to_owned() }).collect()
    };
    ANY.iter().chain(more).map(|command| (name(command), words(command))).collect()
}

/// What a command says. Times are left out.
fn said(binary: &Path, root: &Path, arguments: &[String]) -> Result<String> {
    let own = ["--frontend", "builtin"];
    let is_source = arguments.iter().any(|argument| argument.contains('.') && !argument.ends_with(".ll"));
    let mut command = Command::new(binary);
    command.args(arguments).args(own.iter().filter(|_| is_source)).current_dir(root).stdin(Stdio::null());
    let done = command.output().with_context(|| binary.display().to_string())?;
    let text = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let is_timeless = |line: &&str| !line.contains(" ms") && !line.contains(" s,") && !line.contains("MB/s");
        text.lines().filter(is_timeless).map(|line| format!("{line}\n")).collect::<String>()
    };
    let status = done.status.code().map_or("none".to_owned(), |code| code.to_string());
    Ok(format!("status {status}\n{}---\n{}", text(&done.stdout), text(&done.stderr)))
}
