//! One build of the command against another, on the same inputs, in turns: what a change costs.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use reconverge_testing::corpus;
use reconverge_testing::llvm::Tools;

use super::{Runs, exec, largest_library};
use crate::measure::{Condition, Contender, measure};

/// What starting up costs: nothing to do, and next to nothing.
const THREE_LINES: &str = "__global__ void k(int *x) {\n  x[threadIdx.x] = 1;\n}\n";

/// How often a short command runs for each time that a long one does.
const SHORT: usize = 10;

/// A command, without the binary, and how often it runs for each time that a long one does.
struct Row {
    name: String,
    words: Vec<String>,
    times: usize,
}

fn rows(folder: &Path) -> Result<Vec<Row>> {
    let tools = Tools::locate()?;
    let library = largest_library(&tools)?;
    let small = folder.join("small.cu").display().to_string();
    std::fs::write(&small, THREE_LINES)?;
    let source = folder.join("kernels.cl").display().to_string();
    write_kernels(&source)?;

    let mut rows = Vec::new();
    let mut add = |words: &[&str], times: usize| {
        let shown: Vec<&str> = words.iter().map(|word| word.rsplit('/').next().unwrap_or(word)).collect();
        rows.push(Row { name: shown.join(" "), words: words.iter().map(|word| (*word).to_owned()).collect(), times });
    };
    add(&["--version"], SHORT);
    add(&["check", &small], SHORT);
    for jobs in ["1", "2"] {
        add(&["check", "-q", "-j", jobs, &library], 1);
        add(&["uniformity", "-q", "-j", jobs, &library], 1);
    }
    for verb in ["check", "uniformity"] {
        add(&[verb, "-q", "-j", "1", &source], 1);
    }
    for (name, module, words) in exec::commands(&tools, folder)? {
        rows.push(Row { name: format!("run {name}"), words, times: 1 });
        let words = ["validate", &module, &module].map(str::to_owned).to_vec();
        rows.push(Row { name: format!("validate {name}"), words, times: 1 });
    }
    Ok(rows)
}

pub(super) fn builds(new: &Path, old: &Path, runs: &Runs) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let rows = rows(folder.path())?;
    println!("{:<48} {:>10} {:>10} {:>14}  {:>16}", "processor time", "old", "new", "new / old", "memory new / old");
    for Row { name, words, times } in rows {
        let contender = |binary: &Path| Contender {
            name: name.clone(),
            command: [vec![binary.display().to_string()], words.clone()].concat(),
            accepted: &[0, 1],
        };
        let measured = measure(&[contender(old), contender(new)], runs.runs * times, Condition::AsItComes)?;
        let [before, after] = [0, 1].map(|which| measured[which].processor_time.as_secs_f64() * 1e3);
        let memory = measured[1].peak_memory as f64 / measured[0].peak_memory as f64;
        println!("{name:<48} {before:>7.1} ms {after:>7.1} ms {:>14.3}  {memory:>16.3}", after / before);
    }
    Ok(())
}

/// The same rows by instructions that were executed. They say nothing of waiting for memory.
pub(super) fn instructions(new: &Path, old: &Path) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let rows = rows(folder.path())?;
    println!("{:<48} {:>11} {:>11} {:>14}", "instructions", "old", "new", "new / old");
    for Row { name, words, .. } in rows {
        let [before, after] = [old, new].map(|binary| count(binary, &words, folder.path()));
        let [before, after] = [before?, after?].map(|count| count as f64 / 1e6);
        println!("{name:<48} {before:>9.1} M {after:>9.1} M {:>14.3}", after / before);
    }
    Ok(())
}

/// How many instructions a command executes, in all its threads.
fn count(binary: &Path, words: &[String], folder: &Path) -> Result<u64> {
    let mut file = OsString::from("--callgrind-out-file=");
    file.push(folder.join("callgrind"));
    let mut command = Command::new("valgrind");
    let output = command.arg("--tool=callgrind").arg(file).arg(binary).args(words).output();
    let output = output.context("cannot run valgrind")?;
    ensure!(matches!(output.status.code(), Some(0 | 1)), "{}: {}", words.join(" "), output.status);
    let said = String::from_utf8_lossy(&output.stderr);
    let count = said.lines().find_map(|line| line.split_once("Collected :")?.1.trim().parse().ok());
    count.with_context(|| format!("valgrind counted nothing: {said}"))
}

/// The kernels that the front end is measured on.
fn write_kernels(file: &str) -> Result<()> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_string());
    let arguments =
        ["run", "--release", "--quiet", "--package", "reconverge-lang", "--example", "front_end", "--", "1"];
    let output = Command::new(cargo).args(arguments).arg(file).current_dir(corpus::workspace()).output();
    ensure!(output.context("cannot run cargo")?.status.success(), "the kernels could not be written");
    Ok(())
}
