//! One build of the command against another, on the same inputs, in turns: what a change costs.

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

pub(super) fn builds(new: &Path, old: &Path, runs: &Runs) -> Result<()> {
    let (tools, folder) = (Tools::locate()?, tempfile::tempdir()?);
    let library = largest_library(&tools)?;
    let small = folder.path().join("small.cu").display().to_string();
    std::fs::write(&small, THREE_LINES)?;
    let source = folder.path().join("kernels.cl").display().to_string();
    write_kernels(&source)?;

    let mut inputs: Vec<(String, Vec<String>, usize)> = Vec::new();
    let mut add = |words: &[&str], times: usize| {
        let shown: Vec<&str> = words.iter().map(|word| word.rsplit('/').next().unwrap_or(word)).collect();
        inputs.push((shown.join(" "), words.iter().map(|word| (*word).to_owned()).collect(), runs.runs * times));
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
    for (name, module, command) in exec::commands(&tools, folder.path())? {
        inputs.push((format!("run {name}"), command, runs.runs));
        inputs.push((
            format!("validate {name}"),
            ["validate", &module, &module].map(str::to_owned).to_vec(),
            runs.runs,
        ));
    }
    println!("{:<48} {:>10} {:>10} {:>14}  {:>16}", "processor time", "old", "new", "new / old", "memory new / old");
    for (name, words, times) in inputs {
        let contender = |binary: &Path| Contender {
            name: name.clone(),
            command: [vec![binary.display().to_string()], words.clone()].concat(),
            accepted: &[0, 1],
        };
        let measured = measure(&[contender(old), contender(new)], times, Condition::AsItComes)?;
        let [before, after] = [0, 1].map(|which| measured[which].processor_time.as_secs_f64() * 1e3);
        let memory = measured[1].peak_memory as f64 / measured[0].peak_memory as f64;
        println!("{name:<48} {before:>7.1} ms {after:>7.1} ms {:>14.3}  {memory:>16.3}", after / before);
    }
    Ok(())
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
