//! What can be asked about a change of a program.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{Format, Hierarchy, InputFormat};
use reconverge_exec::launch_grammar::extent::{self, Extent};

/// Compare a program with what it was before a change: whether the same threads communicate
///
/// Both programs run on the same launches, made up where the options do not say them. Communications are matched thread by thread; what is
/// compared is who takes part, what is passed and what is got, then memory. A launch in which they differ is made small and shown as two
/// tables, before and after, with the commands that run it.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 no difference found; 1 a difference (with --strict: or a kernel that could not be compared); 2 nothing could be\n\
                  compared.\n\n\
                  Examples:\n  reconverge validate before.ll after.ll\n  \
                  reconverge validate kernel.cl optimised.ll --kernel main --runs 1000 --seed 7\n  \
                  reconverge validate before.ll after.ll --block 4 --arg n=3 --model all\n  \
                  reconverge validate before.ll after.ll --report change.html\n  \
                  reconverge validate before.ll after.ll --interestingness same.sh --change 'opt -passes=gvn -S'"
)]
pub(crate) struct Validate {
    /// The program before the change: a .ll file, a source file, or - for standard input
    #[arg(value_name = "BEFORE")]
    pub(crate) before: PathBuf,
    /// The program after the change
    #[arg(value_name = "AFTER")]
    pub(crate) after: PathBuf,
    /// What the inputs are, where content and extension do not tell
    #[arg(long, value_enum, value_name = "KIND")]
    pub(crate) input_format: Option<InputFormat>,
    /// Flags for clang, where that reads the inputs
    #[arg(last = true, value_name = "CLANG FLAG")]
    pub(crate) clang_flags: Vec<String>,
    /// Write a script for llvm-reduce that finds the same difference again, in a smaller BEFORE (needs --change)
    #[arg(long, value_name = "FILE", requires = "change")]
    pub(crate) interestingness: Option<PathBuf>,
    /// For that script: the command that makes AFTER of BEFORE, from standard input to standard output
    #[arg(long, value_name = "COMMAND", requires = "interestingness")]
    pub(crate) change: Option<String>,
    #[command(flatten)]
    pub(crate) compared: Compared,
    /// Write a page that shows both programs side by side, with the first difference
    #[arg(long, value_name = "OUT.html")]
    pub(crate) report: Option<PathBuf>,
    /// Say, too, which values and uses are in both programs, and how many that were uniform are still so
    #[arg(long)]
    pub(crate) uniformity: bool,
    /// How many launches for each kernel and model
    #[arg(long, value_name = "N", default_value = "200", value_parser = extent::count)]
    pub(crate) runs: u64,
}

/// Find the first pass of a pipeline that changes which threads communicate
///
/// Runs LLVM's opt once and compares the module before each pass with that after it, as `validate` does. A pass whose result opt's verifier
/// or the static rules reject is found, too. The modules before and after the pass are kept.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 no pass found; 1 a pass is; 2 the input, the pipeline or the command line could not be used.\n\n\
                  Examples:\n  reconverge bisect kernel.ll --passes 'default<O3>'\n  \
                  reconverge bisect kernel.cl --passes 'function(simplifycfg,jump-threading)' --keep found\n  \
                  reconverge bisect kernel.ll --passes sroa,gvn --opt /opt/llvm/bin/opt --runs 500\n  \
                  reconverge bisect kernel.ll --passes 'default<O3>' --report pass.html\n  \
                  reconverge bisect kernel.ll --passes 'default<O3>' --interestingness same.sh"
)]
pub(crate) struct Bisect {
    /// A .ll file, bitcode, a source file, or - for standard input
    #[arg(value_name = "INPUT")]
    pub(crate) input: PathBuf,
    /// What the input is, where content and extension do not tell
    #[arg(long, value_enum, value_name = "KIND")]
    pub(crate) input_format: Option<InputFormat>,
    /// Flags for clang, where that reads the input
    #[arg(last = true, value_name = "CLANG FLAG")]
    pub(crate) clang_flags: Vec<String>,
    /// The passes, as `opt -passes=` takes them
    #[arg(long, value_name = "PIPELINE", value_parser = passes)]
    pub(crate) passes: String,
    /// The opt to use [default: opt-22 or opt, as the path has them]
    #[arg(long, value_name = "PATH")]
    pub(crate) opt: Option<PathBuf>,
    /// Where to keep the modules before and after the pass that is found
    #[arg(long, value_name = "FOLDER", default_value = "reconverge-bisect")]
    pub(crate) keep: PathBuf,
    /// Write a page that shows the module before and after the pass, side by side, with the first difference
    #[arg(long, value_name = "OUT.html")]
    pub(crate) report: Option<PathBuf>,
    /// Write a script for llvm-reduce that finds the same pass again, in a smaller INPUT
    #[arg(long, value_name = "FILE")]
    pub(crate) interestingness: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) compared: Compared,
    /// How many launches for each step, kernel and model
    #[arg(long, value_name = "N", default_value = "50", value_parser = extent::count)]
    pub(crate) runs: u64,
}

/// How two programs are compared.
#[derive(Debug, Clone, Args)]
pub(crate) struct Compared {
    /// Only this kernel, or any function with a body [default: every kernel]
    #[arg(long, visible_alias = "function", value_name = "K")]
    pub(crate) kernel: Option<String>,
    /// What launches are made up from
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
    /// What a parameter gets in every launch, as for `run`; can be given several times [default: made up]
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) arg: Vec<String>,
    /// How many workgroups there are [default: made up]
    #[arg(long, value_name = "X[,Y[,Z]]")]
    pub(crate) grid: Option<Extent>,
    /// How many threads a workgroup has [default: what the kernel requires, else made up]
    #[arg(long, value_name = "X[,Y[,Z]]")]
    pub(crate) block: Option<Extent>,
    /// How many threads a subgroup has, at most 64 [default: what the kernel requires or the target has, else made up]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(crate) subgroup: Option<u32>,
    /// Which threads count as converged [default: controlled for a kernel with tokens on either side, else maximal]
    #[arg(long, value_enum, value_name = "MODEL")]
    pub(crate) model: Option<ComparedModel>,
    /// The cycle hierarchy to compare in, by its number in `cycles --hierarchy all`; all: in each of those after the change, what happens in some of those before
    #[arg(long, value_name = "N|all", default_value = "all")]
    pub(crate) hierarchy: Hierarchy,
    /// End a launch after so many instructions, counted once for each thread; it is compared up to there
    #[arg(long, value_name = "N", default_value = "4M", value_parser = extent::count)]
    pub(crate) max_instructions: u64,
    /// Report the first launch that differs as it is
    #[arg(long)]
    pub(crate) no_minimise: bool,
    /// How to print what was found
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Under which models programs are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ComparedModel {
    /// As much as the cycles allow; tokens are not looked at
    Maximal,
    /// What tokens say, where there are any
    Controlled,
    /// A stack of immediate post-dominators, as much hardware has
    Ipdom,
    /// Source: what the text on tangles, October 2024, says
    #[value(name = "tangles-2024-10")]
    Tangles2024_10,
    /// Source: what the text on convergence control, August 2025, says
    #[value(name = "clang-2025-08")]
    Clang2025_08,
    /// Maximal, controlled and ipdom, each on its own
    All,
}

/// A pipeline is not empty: that of a variable of a script that is not set would succeed.
fn passes(text: &str) -> Result<String, String> {
    match text.trim() {
        "" => Err("expected at least one pass, as in `gvn,simplifycfg`".to_owned()),
        _ => Ok(text.to_owned()),
    }
}
