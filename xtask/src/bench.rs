//! Benchmarks: ratios against a named peer, on the same input in the same run.

mod builds;
mod exec;
mod lsp;
mod serve;

use std::iter;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::{Args, Subcommand};
use reconverge_testing::corpus::{self, Corpus};
use reconverge_testing::llvm::Tools;
use reconverge_testing::random::{self, Family};

use crate::measure::{Condition, Contender, Measured, measure};

#[derive(Debug, Subcommand)]
pub(crate) enum Bench {
    /// `check` against `opt -passes=verify`, on the largest OpenCL library
    Read(OfCommand),
    /// `cycles` on generated functions: a million blocks, and 100 000 nested loops
    Cycles(OfCommand),
    /// `uniformity` against `opt -passes=function(require<uniformity>)`, on the largest OpenCL library and on control
    /// flow that is expensive
    Uniformity(OfCommand),
    /// `run` against `oclgrind-kernel`, on kernels that loop, diverge and multiply matrices
    Exec(OfCommand),
    /// The front end, step by step, and `clang -fsyntax-only` on the same kernels in OpenCL C
    Source(Runs),
    /// How many launches of two kernels are compared in a minute
    Validate(Runs),
    /// How long an editor waits for `lsp`, in files of 2 000 lines
    Lsp(OfCommand),
    /// How long the live page of `serve` waits for an answer, for programs of 200 lines
    Serve(OfCommand),
    /// Another build of the command against this one: processor time and memory, on the inputs of the others
    Builds {
        /// The binary of the other build
        old: PathBuf,
        /// Instructions in place of time, as `valgrind` counts them: what else the machine does makes no difference
        #[arg(long)]
        instructions: bool,
        #[command(flatten)]
        of: OfCommand,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Runs {
    /// How often each command runs; its fastest run counts
    #[arg(long, default_value_t = 10)]
    runs: usize,
}

/// What measures the command.
#[derive(Debug, Args)]
pub(crate) struct OfCommand {
    #[command(flatten)]
    runs: Runs,
    /// Build nothing: this is the command
    #[arg(long)]
    binary: Option<PathBuf>,
}

impl OfCommand {
    /// The command.
    fn binary(&self) -> Result<PathBuf> {
        self.binary.clone().map_or_else(build, Ok)
    }
}

impl Bench {
    pub(crate) fn run(&self) -> Result<()> {
        match self {
            Bench::Read(of) => read(&of.binary()?, of.runs.runs),
            Bench::Cycles(of) => cycles(&of.binary()?, of.runs.runs),
            Bench::Uniformity(of) => uniformity(&of.binary()?, of.runs.runs),
            Bench::Exec(of) => exec::exec(&of.binary()?, &of.runs),
            Bench::Source(runs) => source(runs.runs),
            Bench::Validate(runs) => validate(runs.runs),
            Bench::Lsp(of) => lsp::lsp(&of.binary()?, of.runs.runs),
            Bench::Serve(of) => serve::serve(&of.binary()?, of.runs.runs),
            Bench::Builds { old, instructions: false, of } => builds::builds(&of.binary()?, old, &of.runs),
            Bench::Builds { old, instructions: true, of } => builds::instructions(&of.binary()?, old),
        }
    }
}

/// Builds the command as users run it.
fn build() -> Result<PathBuf> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_string());
    let root = corpus::workspace();
    let arguments = ["build", "--release", "--quiet", "--package", "reconverge-cli"];
    let status = Command::new(&cargo).args(arguments).current_dir(&root).status().context("cannot run cargo")?;
    ensure!(status.success(), "the build failed");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    Ok(target.join("release/reconverge"))
}

/// Launches are compared inside of one process, on all cores; the fastest of some runs counts.
fn validate(runs: usize) -> Result<()> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_string());
    let arguments = ["run", "--release", "--quiet", "--package", "reconverge-validate", "--example", "launches", "--"];
    let mut launches = Command::new(cargo);
    launches.args(arguments).arg("20000").arg(runs.min(5).to_string()).current_dir(corpus::workspace());
    ensure!(launches.status().context("cannot run cargo")?.success(), "the launches could not be compared");
    Ok(())
}

/// The steps of the front end are measured inside of one process, on one thread; clang as a process.
fn source(runs: usize) -> Result<()> {
    const MEGABYTES: &str = "8";
    let tools = Tools::locate()?;
    let folder = tempfile::tempdir().context("no folder for the kernels")?;
    let kernels = folder.path().join("kernels.cl");
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_string());
    let mut front_end = Command::new(cargo);
    front_end.args(["run", "--release", "--quiet", "--package", "reconverge-lang", "--example", "front_end", "--"]);
    let status = front_end.arg(MEGABYTES).arg(&kernels).current_dir(corpus::workspace()).status();
    ensure!(status.context("cannot run cargo")?.success(), "the front end could not be measured");
    let flags = "-x cl -cl-std=CL3.0 -Xclang -finclude-default-header -target spirv64 -fsyntax-only -w";
    let best = (0..runs.min(3)).map(|_| -> Result<f64> {
        let start = std::time::Instant::now();
        let status =
            Command::new(&tools.clang).args(flags.split(' ')).arg(&kernels).status().context("running clang")?;
        ensure!(status.success(), "clang does not take the kernels");
        Ok(start.elapsed().as_secs_f64())
    });
    let best = best.collect::<Result<Vec<f64>>>()?.into_iter().fold(f64::INFINITY, f64::min);
    let size = std::fs::metadata(&kernels).context("the kernels were not written")?.len() as f64 / 1e6;
    println!("{:>24}: {:7.1} ms, {:6.1} MB/s of text", "clang -fsyntax-only", best * 1e3, size / best);
    Ok(())
}

fn read(binary: &Path, runs: usize) -> Result<()> {
    let tools = Tools::locate()?;
    let input = largest_library(&tools)?;
    let ours = |arguments: &str| {
        let command = format!("check -q {arguments}");
        let words = command.split(' ').chain([&*input]).map(str::to_string);
        Contender {
            name: format!("reconverge {command}"),
            command: iter::once(binary.display().to_string()).chain(words).collect(),
            accepted: &[0, 1],
        }
    };
    let opt = tools.opt.display().to_string();
    let peer = Contender {
        name: "opt -passes=verify".to_string(),
        command: [&opt, "-passes=verify", "-disable-output", &input].map(str::to_string).to_vec(),
        accepted: &[0],
    };
    compare_both(&[peer, ours("-j 2"), ours("-j 1"), ours("-j 2 --every-body")], runs)
}

/// The largest file of the corpus; says which that is.
fn largest_library(tools: &Tools) -> Result<String> {
    let files = corpus::ensure_corpus(tools, Corpus::Full)?;
    let sized = files.iter().map(|file| Ok((std::fs::metadata(file)?.len(), file))).collect::<Result<Vec<_>>>()?;
    let (size, file) = sized.into_iter().max().context("the corpus is empty")?;
    println!("input: {} ({:.1} MB)", file.file_name().unwrap_or_default().display(), size as f64 / 1e6);
    Ok(file.display().to_string())
}

fn cycles(binary: &Path, runs: usize) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let inputs = [
        ("1 000 000 blocks, random branches", random::big_cfg(1_000_000, 1)),
        ("100 000 nested loops", random::deep_nest(100_000)),
        ("1 000 000 blocks in a chain", random::chain(1_000_000)),
    ];
    for (name, text) in inputs {
        let file = folder.path().join("input.ll");
        std::fs::write(&file, &text)?;
        println!("input: {name} ({:.1} MB)", text.len() as f64 / 1e6);
        let contender = |verb: &str| Contender {
            name: format!("reconverge {verb}"),
            command: [&binary.display().to_string(), verb, &file.display().to_string()].map(str::to_string).to_vec(),
            accepted: &[0, 1],
        };
        compare(&[contender("cycles"), contender("check")], runs, Condition::AsItComes)?;
    }
    Ok(())
}

/// How many divergent branches the families have when they are compared with LLVM, and when their growth is measured.
const COMPARED: usize = 8_000;
const GROWING: [usize; 3] = [20_000, 40_000, 80_000];

fn uniformity(binary: &Path, runs: usize) -> Result<()> {
    let tools = Tools::locate()?;
    let ours = |jobs: &str, input: &str| Contender {
        name: format!("reconverge uniformity -j {jobs}"),
        command: [&binary.display().to_string(), "uniformity", "-q", "-j", jobs, input].map(str::to_string).to_vec(),
        accepted: &[0],
    };
    let peer = |input: &str| Contender {
        name: "opt require<uniformity>".to_string(),
        command: [&tools.opt.display().to_string(), "-passes=function(require<uniformity>)", "-disable-output", input]
            .map(str::to_string)
            .to_vec(),
        accepted: &[0],
    };
    let input = largest_library(&tools)?;
    compare_both(&[peer(&input), ours("2", &input), ours("1", &input)], runs)?;

    let folder = tempfile::tempdir()?;
    let write = |family: Family, branches: usize| -> Result<String> {
        let file = folder.path().join(format!("{}-{branches}.ll", family.name()));
        std::fs::write(&file, family.module(branches))?;
        Ok(file.display().to_string())
    };
    for family in Family::ALL {
        println!("input: {} with {COMPARED} divergent branches", family.name());
        let input = write(family, COMPARED)?;
        compare(&[peer(&input), ours("2", &input)], runs, Condition::AsItComes)?;
    }
    println!("time of reconverge uniformity as the number of divergent branches doubles");
    for family in Family::ALL {
        let inputs = GROWING.into_iter().map(|branches| Ok(ours("2", &write(family, branches)?)));
        let measured = measure(&inputs.collect::<Result<Vec<_>>>()?, runs, Condition::AsItComes)?;
        let milliseconds = |one: &Measured| one.time.as_secs_f64() * 1e3;
        print!("  {:<8} {}: {:.1} ms", family.name(), GROWING[0], milliseconds(&measured[0]));
        for (step, branches) in measured.windows(2).zip(&GROWING[1..]) {
            let [before, after] = [milliseconds(&step[0]), milliseconds(&step[1])];
            print!("   {branches}: {after:.1} ms ({:.2}x)", after / before);
        }
        println!();
    }
    Ok(())
}

/// Prints how each contender does when its memory is warm and when it is not, and how the others compare to the first.
///
/// A run just before the timed one leaves pages that need no clearing; after idle seconds the kernel hands out fresh ones.
fn compare_both(contenders: &[Contender], runs: usize) -> Result<()> {
    println!(" warm: each run just after one that does not count");
    compare(contenders, runs, Condition::Warm)?;
    println!(" cold: five idle seconds before each run");
    compare(contenders, runs, Condition::Cold)
}

/// Prints how each contender does, and how the others compare to the first.
fn compare(contenders: &[Contender], runs: usize, condition: Condition) -> Result<()> {
    let measured = measure(contenders, runs, condition)?;
    let Some(&base) = measured.first() else { return Ok(()) };
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    for (contender, result) in contenders.iter().zip(&measured) {
        println!(
            "  {:<28} {}{:>8.1} ms (user {:>7.1}, system {:>6.1})  {:>6.1} MiB   {:>5.1}x the speed, {:>4.2}x the memory of the first",
            contender.name,
            if result.is_cut_off { "more than " } else { "" },
            milliseconds(result.time),
            milliseconds(result.user_time),
            milliseconds(result.system_time),
            result.peak_memory as f64 / f64::from(1 << 20),
            base.time.as_secs_f64() / result.time.as_secs_f64(),
            result.peak_memory as f64 / base.peak_memory as f64,
        );
    }
    Ok(())
}
