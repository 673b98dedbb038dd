//! Developer chores: benchmarks against LLVM, and comparisons with it that take long.

mod bench;
mod bisect_corpus;
mod damage;
mod fuzz;
mod hardware;
mod intrinsics;
mod measure;
mod outputs;
mod pictures;
mod precision;
mod probe_targets;
mod site;
mod soak;
mod survey;
mod tree;

use clap::{Parser, Subcommand};

/// Chores of Reconverge's developers.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Debug, Subcommand)]
enum Chore {
    /// Measures Reconverge against a named peer, on the same input in the same run
    #[command(subcommand)]
    Bench(bench::Bench),
    /// Looks for passes of LLVM that do not keep who communicates with whom, on the corpora
    BisectCorpus(bisect_corpus::BisectCorpus),
    /// Reads the files of a tree with damages, and looks for what must not happen
    Damage(damage::Damage),
    /// Drives every verb with inputs that are made up, and looks for what must not happen
    Fuzz(fuzz::Fuzz),
    /// Writes a program that asks a GPU who is together, to compare with the texts of Clang
    Hardware(hardware::Hardware),
    /// Regenerates the table of convergent intrinsics from an installed LLVM
    Intrinsics(intrinsics::Intrinsics),
    /// Writes what the binary says of the kept inputs, every verb and format, to compare two builds
    Outputs(outputs::Outputs),
    /// Takes the pictures of the documents, of what the tool writes
    Pictures(pictures::Pictures),
    /// Runs the kernels of a tree, and says what is called divergent and never differs
    Precision(precision::Precision),
    /// Regenerates what LLVM says of intrinsics in `targets/generated`
    ProbeTargets(probe_targets::ProbeTargets),
    /// Makes a folder of the live page for browsers alone, with the documentation
    Site(site::Site),
    /// Runs the random and differential tests for long
    Soak(soak::Soak),
    /// Says how much of a tree of sources the built-in front end understands
    Survey(survey::Survey),
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().chore {
        Chore::Bench(bench) => bench.run(),
        Chore::BisectCorpus(bisect) => bisect.run(),
        Chore::Damage(damage) => damage.run(),
        Chore::Fuzz(fuzz) => fuzz.run(),
        Chore::Hardware(hardware) => hardware.run(),
        Chore::Intrinsics(intrinsics) => intrinsics.run(),
        Chore::Outputs(outputs) => outputs.run(),
        Chore::Pictures(pictures) => pictures.run(),
        Chore::Precision(precision) => precision.run(),
        Chore::ProbeTargets(probe) => probe.run(),
        Chore::Site(site) => site.run(),
        Chore::Soak(soak) => soak.run(),
        Chore::Survey(survey) => survey.run(),
    }
}
