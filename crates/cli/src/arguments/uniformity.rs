//! What can be asked about uniformity.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{Format, Inputs};

/// Print which values and branches differ between threads, and why
///
/// A value is uniform when all threads of the set that compute it together get the same value; a branch, when they take the same path. --explain takes a variable (i) or a
/// line (kernel.cu:7) of source; of IR, a value (%x), a block for its branch (%entry), a line of the .ll file (kernel.ll:12) or, where the IR has debug
/// information, a line of the source (kernel.cl:7).
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  reconverge uniformity kernel.cu\n  \
                  reconverge uniformity kernel.cu --function saxpy --explain i\n  \
                  reconverge uniformity kernel.cu --explain kernel.cu:7 --scope workgroup\n  \
                  reconverge uniformity kernel.ll --function main --explain %x\n  \
                  reconverge uniformity kernel.ll --annotate -o annotated.ll\n  \
                  reconverge uniformity --diff before.ll after.ll\n  \
                  reconverge uniformity kernel.ll --against opt-22")]
pub(crate) struct Uniformity {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// How to print the answer
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Only this function
    #[arg(long, value_name = "F")]
    pub(crate) function: Option<String>,
    /// Explain a value, a branch, or all of a line; can be given several times
    #[arg(long, value_name = "NAME|FILE:LINE")]
    pub(crate) explain: Vec<String>,
    /// The set of threads
    #[arg(long, value_enum, default_value_t)]
    pub(crate) scope: Scope,
    /// Count what each refinement over LLVM's analysis is worth; takes ten times as long
    #[arg(long)]
    pub(crate) refinements: bool,
    /// Write the IR of one input, with what is uniform or divergent in each line as a comment
    #[arg(long, conflicts_with_all = ["explain", "refinements", "diff", "against"])]
    pub(crate) annotate: bool,
    /// Where --annotate writes [default: standard output]
    #[arg(short, long, value_name = "OUT.ll", requires = "annotate")]
    pub(crate) output: Option<PathBuf>,
    /// Compare two versions of a program: what became divergent, and what uniform
    #[arg(long, conflicts_with_all = ["explain", "refinements", "against"])]
    pub(crate) diff: bool,
    /// List where LLVM's analysis says something else, and who is right
    #[arg(long, value_name = "OPT", conflicts_with_all = ["explain", "refinements", "function"])]
    pub(crate) against: Option<PathBuf>,
}

/// A set of threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Scope {
    /// A wave, a warp
    #[default]
    Subgroup,
    /// A work-group, a thread block
    Workgroup,
    /// All threads of a launch
    Grid,
}
