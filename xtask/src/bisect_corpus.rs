//! Pipelines of LLVM over the corpora: which pass is the first that does not keep who communicates with whom.
//!
//! What goes in, unoptimised but not marked as not to be optimised: `tests/cases/opencl` for AMDGPU and NVPTX, `tests/cases/cuda` for NVPTX, `tests/cases/run` for
//! AMDGPU, `tests/cases/hlsl` with convergence tokens, and the programs of `tests/cases/passes`, written for this. With `--random`: random kernels with tokens in
//! their place. Each goes through `reconverge bisect`; what is found stays under `target/bisect`, and how many programs a pass was found in is printed by pipeline.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Args;
use reconverge_testing::corpus::{cases, workspace};
use reconverge_testing::llvm::Tools;
use reconverge_testing::random::kernels::{Kernel, Wishes};
use serde_json::Value;

#[derive(Debug, Args)]
pub(crate) struct BisectCorpus {
    /// A pipeline, as opt takes it; can be given several times
    #[arg(long, value_name = "PIPELINE", default_values = ["default<O1>", "default<O3>"])]
    passes: Vec<String>,
    /// Launches for each step, kernel and model
    #[arg(long, default_value_t = 20)]
    runs: u32,
    /// The model to compare under, as `reconverge bisect` takes it
    #[arg(long)]
    model: Option<String>,
    /// Only programs whose name contains this
    #[arg(long, default_value = "")]
    only: String,
    /// Random kernels with convergence tokens, so many, in place of the corpora
    #[arg(long, value_name = "N")]
    random: Option<u64>,
    /// The seed of the first random kernel
    #[arg(long, default_value_t = 1, requires = "random")]
    seed: u64,
    /// The binary [default: built for this]
    #[arg(long, value_name = "PATH")]
    binary: Option<PathBuf>,
}

const OPENCL: &str = "-x cl -cl-std=CL3.0 -Xclang -finclude-default-header -Xclang -cl-ext=+all";
const CUDA: &str =
    "-x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_70 -Xclang -target-feature -Xclang +ptx70";
const UNOPTIMISED: &str = "-S -emit-llvm -O0 -Xclang -disable-O0-optnone -gline-tables-only -w";
const AMDGPU: &str = "-target amdgcn-amd-amdhsa -mcpu=gfx900 -nogpulib";
const NVPTX: &str = "-target nvptx64-nvidia-cuda";
/// Clang marks entry points as not to be optimised where it is not asked to optimise.
const HLSL: &str = "-cc1 -triple spirv-unknown-vulkan1.3-compute -x hlsl -emit-llvm -O1 -disable-llvm-passes";

/// How many of the programs that took longest are named.
const SLOWEST: usize = 5;

/// Launches that take longer than this say nothing.
const INSTRUCTIONS: &str = "1M";

impl BisectCorpus {
    pub(crate) fn run(&self) -> Result<()> {
        let tools = Tools::locate()?;
        let binary = match &self.binary {
            Some(path) => path.clone(),
            None => build()?,
        };
        let folder = workspace().join("target/bisect");
        fs::create_dir_all(&folder)?;
        let programs = match self.random {
            Some(count) => random_programs(&folder, self.seed, count, &self.only)?,
            None => programs(&tools, &folder, &self.only)?,
        };
        ensure!(!programs.is_empty(), "no program is called so");
        let mut tally = Tally::default();
        for passes in &self.passes {
            for (index, program) in programs.iter().enumerate() {
                let name = stem(program);
                eprint!("\r{passes} {}/{} {name:40}", index + 1, programs.len());
                let keep = folder.join("found").join(format!("{name}.{}", letters(passes)));
                let start = Instant::now();
                let answer = self.bisect(&binary, program, passes, &keep)?;
                tally.add(passes, &name, &answer, start.elapsed());
            }
        }
        eprintln!();
        println!("{}", tally.summary());
        Ok(())
    }

    /// What `bisect` says of a program; why it says nothing.
    fn bisect(&self, binary: &Path, program: &Path, passes: &str, keep: &Path) -> Result<Result<Value, String>> {
        let mut command = Command::new(binary);
        command.arg("bisect").arg(program).args(["--passes", passes, "--format", "json"]);
        command.args(["--runs", &self.runs.to_string(), "--max-instructions", INSTRUCTIONS]).arg("--keep").arg(keep);
        command.args(self.model.iter().flat_map(|model| ["--model", model]));
        let output = command.output().with_context(|| format!("running {}", binary.display()))?;
        let message = String::from_utf8_lossy(&output.stderr);
        let reason = || message.lines().next().unwrap_or("no reason is given").to_owned();
        Ok(match output.status.code() {
            Some(0 | 1) => Ok(serde_json::from_slice(&output.stdout)?),
            _ => Err(reason()),
        })
    }
}

/// In how many programs a pass was found first, by what is wrong behind it and its name.
type ByPass = BTreeMap<(String, String), usize>;

#[derive(Default)]
struct Tally {
    pairs: usize,
    unusable: usize,
    found: usize,
    steps: u64,
    compared: u64,
    runs: u64,
    /// For each pipeline, how many programs went through it, and in how many each pass was found, by what is wrong behind it.
    by_pipeline: BTreeMap<String, (usize, ByPass)>,
    /// The programs that took longest.
    slowest: BTreeSet<(Duration, String)>,
}

impl Tally {
    fn add(&mut self, passes: &str, name: &str, answer: &Result<Value, String>, time: Duration) {
        self.pairs += 1;
        self.slowest.insert((time, format!("{name} {passes}")));
        if self.slowest.len() > SLOWEST {
            self.slowest.pop_first();
        }
        let report = match answer {
            Ok(report) => report,
            Err(reason) => {
                self.unusable += 1;
                println!("\r{name} {passes}: not compared: {reason}");
                return;
            }
        };
        let (programs, by_pass) = self.by_pipeline.entry(passes.to_owned()).or_default();
        *programs += 1;
        let count = |field: &str| report[field].as_u64().unwrap_or(0);
        self.steps += count("steps");
        self.compared += count("compared");
        self.runs += count("runs");
        if let Some(pass) = report["pass"].as_str() {
            self.found += 1;
            let kind = report["kind"].as_str().unwrap_or_default();
            let short = report["name"].as_str().unwrap_or(pass);
            *by_pass.entry((kind.to_owned(), short.to_owned())).or_default() += 1;
            let said = report["diagnostics"][0]["message"].as_str().or(report["messages"][0].as_str());
            println!("\r{name} {passes}: {pass}, step {}: {}", report["index"], said.unwrap_or_default());
        }
    }

    fn summary(&self) -> String {
        let Tally { pairs, unusable, found, steps, compared, runs, by_pipeline, slowest } = self;
        let mut text = format!(
            "{pairs} programs and pipelines, {unusable} of them not compared: {found} passes found; \
             {steps} steps, {compared} of them compared in {runs} runs"
        );
        for (passes, (programs, by_pass)) in by_pipeline {
            let share = |count: usize| count as f64 * 100.0 / *programs as f64;
            let breaks = |kind: &str| by_pass.iter().filter(|((is, _), _)| is == kind).map(|(_, count)| count).sum();
            let (rules, communication) = (breaks("rules") + breaks("verifier"), breaks("communication"));
            text.push_str(&format!(
                "\n{passes}: {programs} programs; first find: a broken rule in {rules} ({:.1} %), other communication in {communication} ({:.1} %)",
                share(rules),
                share(communication)
            ));
            for ((kind, pass), &count) in by_pass {
                text.push_str(&format!("\n  {count:>5}  {:>5.1} %  {pass}: {kind}", share(count)));
            }
        }
        for (time, program) in slowest.iter().rev() {
            text.push_str(&format!("\n{:.1} s: {program}", time.as_secs_f64()));
        }
        text
    }
}

/// Random kernels that end, with tokens.
fn random_programs(folder: &Path, seed: u64, count: u64, only: &str) -> Result<Vec<PathBuf>> {
    let folder = folder.join("random");
    fs::create_dir_all(&folder)?;
    let wishes = Wishes { tokens: true, bounded: true, uniform_control: false, references: false };
    let write = |seed: u64| {
        let path = folder.join(format!("kernel-{seed}.ll"));
        fs::write(&path, Kernel::with(wishes, seed).text)?;
        Ok(path)
    };
    let paths = (seed..seed.saturating_add(count)).map(write).collect::<Result<Vec<PathBuf>>>()?;
    Ok(paths.into_iter().filter(|path| path.to_string_lossy().contains(only)).collect())
}

/// The programs, compiled where they are not yet.
fn programs(tools: &Tools, folder: &Path, only: &str) -> Result<Vec<PathBuf>> {
    let mut programs = cases("passes", "ll")?;
    let mut add = |kind: &str, extension: &str, target: &str, flags: &str| -> Result<()> {
        for source in cases(kind, extension)? {
            let output = folder.join(format!("{}.{kind}.{target}.ll", stem(&source)));
            if !output.exists() && output.to_string_lossy().contains(only) {
                compile(tools, &source, flags, &output)?;
            }
            programs.push(output);
        }
        Ok(())
    };
    add("opencl", "cl", "amdgpu", &format!("{OPENCL} {UNOPTIMISED} {AMDGPU}"))?;
    add("opencl", "cl", "nvptx", &format!("{OPENCL} {UNOPTIMISED} {NVPTX}"))?;
    add("cuda", "cu", "nvptx", &format!("{CUDA} {UNOPTIMISED}"))?;
    add("run", "cl", "amdgpu", &format!("{OPENCL} {UNOPTIMISED} {AMDGPU}"))?;
    add("hlsl", "hlsl", "tokens", HLSL)?;
    programs.retain(|path| path.to_string_lossy().contains(only) && path.exists());
    Ok(programs)
}

/// Compiles a source; one that clang does not take for this target is left out, with a note.
fn compile(tools: &Tools, source: &Path, flags: &str, output: &Path) -> Result<()> {
    let text = fs::read_to_string(source)?;
    let own = text.lines().filter_map(|line| line.strip_prefix("// FLAGS: "));
    let own: Vec<&str> = own.flat_map(str::split_whitespace).collect();
    let result = Command::new(&tools.clang)
        .args(flags.split_whitespace())
        .args(own)
        .arg(source)
        .arg("-o")
        .arg(output)
        .output()?;
    if !result.status.success() {
        let message = String::from_utf8_lossy(&result.stderr).into_owned();
        let first = message.lines().find(|line| line.contains("error: ")).unwrap_or_default();
        println!("{} is left out: {first}", source.display());
        let _ = fs::remove_file(output);
    }
    Ok(())
}

pub(crate) fn build() -> Result<PathBuf> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let status = Command::new(cargo).args(["build", "--profile", "quick", "--package", "reconverge-cli"]).status()?;
    ensure!(status.success(), "the binary does not build");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace().join("target"), PathBuf::from);
    Ok(target.join("quick/reconverge"))
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn letters(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).collect()
}
