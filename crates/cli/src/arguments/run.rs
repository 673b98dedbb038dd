//! The arguments of `run`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use reconverge_exec::launch::{AnchorPolicy, Schedule};
use reconverge_exec::launch_grammar::extent::{self, Extent, Threads};

use super::{Entry, Format, InputFormat};

/// Run a kernel with many threads, and say what they did together and what went wrong
///
/// Buffers are printed after the run, then how often each operation of several threads ran and with how many of them, then
/// findings. An argument is a number (n=2000), a buffer of zeroes (out=u32[1024]), a filled one ('in=u32[4]{1,2,3,4}',
/// 'in=f32[64]{iota}', {random:SEED}, {uninit}) or a file (in=f32@data.bin). Elements: u8, i8, u16, i16, u32, i32, u64, i64, f16,
/// bf16, f32, f64.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 no errors found; 1 errors (with --strict: or warnings); 2 the input or the command line could not\n\
                  be used; 130 interrupted by Ctrl-C, after what was known is printed.\n\n\
                  Examples:\n  reconverge run kernel.ll --grid 16 --block 64 --arg n=2000 --arg 'out=u32[1024]'\n  \
                  reconverge run kernel.ll --kernel main --block 8,8 --arg 'in=f32[64]{random:7}' --print in=64\n  \
                  reconverge run examples/run-loop-with-break.ll --block 4 --model all\n  \
                  reconverge run examples/block-sum.cu --launches 100"
)]
pub(crate) struct Run {
    /// A .ll file, a source file, or - for standard input
    #[arg(value_name = "INPUT")]
    pub(crate) input: PathBuf,
    /// What the input is, where content and extension do not tell
    #[arg(long, value_enum, value_name = "KIND")]
    pub(crate) input_format: Option<InputFormat>,
    /// Flags for clang, where that reads the input
    #[arg(last = true, value_name = "CLANG FLAG")]
    pub(crate) clang_flags: Vec<String>,
    /// The kernel; may be left out where the module has one only
    #[arg(long, value_name = "K")]
    pub(crate) kernel: Option<String>,
    /// How many workgroups there are [default: 1]
    #[arg(long, value_name = "X[,Y[,Z]]")]
    pub(crate) grid: Option<Extent>,
    /// How many threads a workgroup has [default: what the kernel requires, else 1]
    #[arg(long, value_name = "X[,Y[,Z]]")]
    pub(crate) block: Option<Extent>,
    /// How many threads a subgroup has, at most 64 [default: by target, else 32]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(crate) subgroup: Option<u32>,
    /// What a parameter gets, by its name or position; can be given several times
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) arg: Vec<String>,
    /// Which threads count as converged [default: clang-2025-04 for source, controlled for a kernel with tokens, else maximal]
    #[arg(long, value_enum, value_name = "MODEL")]
    pub(crate) model: Option<RunModel>,
    /// The cycle hierarchy of the maximal model, as `cycles --hierarchy all` numbers them; 1 is the one that LLVM finds
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) hierarchy: u32,
    /// In which order threads run: lockstep, fair or random:SEED
    #[arg(long, default_value = "lockstep", value_name = "SCHEDULE", value_parser = extent::schedule)]
    pub(crate) schedule: Schedule,
    /// Which threads execute an anchor together: maximal, solo, active or split:SEED
    #[arg(long, default_value = "maximal", value_name = "POLICY", value_parser = extent::anchors)]
    pub(crate) anchor: AnchorPolicy,
    /// Which threads are converged where they enter the program [default: converged; alone in main of C and C++]
    #[arg(long, value_enum, value_name = "ENTRY")]
    pub(crate) entry: Option<Entry>,
    /// What the mask of an operation such as __shfl_sync means
    #[arg(long, value_enum, default_value_t, value_name = "READING")]
    pub(crate) masks: Masks,
    /// End the run after so many instructions, counted once for each thread, of all models together. What a run costs is limited, too: to
    /// about a minute of one core (--limit run-steps=N)
    #[arg(long, value_name = "N", default_value = "100G", value_parser = extent::count)]
    pub(crate) max_instructions: u64,
    /// The most private memory of one thread
    #[arg(long, value_name = "SIZE", default_value = "1M", value_parser = extent::size)]
    pub(crate) max_stack: u64,
    /// Make up N launches of the kernel, or of each where --kernel is not given, and show the first in which threads do not reach a barrier,
    /// wait for each other, read from inactive lanes or (with --block) race; made small, with the command that runs it
    #[arg(long, value_name = "N", value_parser = extent::count, conflicts_with_all = ["trace", "timeline", "events", "print", "hierarchy"])]
    pub(crate) launches: Option<u64>,
    /// What the launches are made up from
    #[arg(long, value_name = "S", default_value_t = 1, requires = "launches")]
    pub(crate) seed: u64,
    /// Do not look for data races inside workgroups
    #[arg(long)]
    pub(crate) no_races: bool,
    /// Source: print the table of who was converged with whom, of these threads: threads=0,3 or threads=0-7
    #[arg(long, value_name = "threads=LIST", value_parser = extent::threads)]
    pub(crate) trace: Option<Threads>,
    /// Show which threads execute together, step by step: a line for each step, a letter for each thread of the first workgroup. Same letter: executed together
    #[arg(long)]
    pub(crate) timeline: bool,
    /// Print the first N executions of operations of several threads [default: 0; in JSON 1000]
    #[arg(long, value_name = "N")]
    pub(crate) events: Option<usize>,
    /// Print this buffer only, all of it or the first COUNT elements; can be given several times
    #[arg(long, value_name = "NAME[=COUNT]")]
    pub(crate) print: Vec<String>,
    /// How to print what happened
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Which dynamic instances are converged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RunModel {
    /// As much as the cycles allow; tokens are not looked at
    Maximal,
    /// What tokens say, where there are any
    Controlled,
    /// A stack of immediate post-dominators, as much hardware has
    Ipdom,
    /// Source: thread convergence, April 2025
    #[value(name = "clang-2025-04")]
    Clang2025_04,
    /// Source: thread tangles, October 2024; tangles that the text leaves apart or not are united
    #[value(name = "tangles-2024-10")]
    Tangles2024_10,
    /// Source: convergence control, August 2025
    #[value(name = "clang-2025-08")]
    Clang2025_08,
    /// The source's or the tokens', maximal and ipdom, side by side
    All,
}

/// What a mask of threads means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Masks {
    /// Only converged threads communicate, those with the same mask
    #[default]
    Partition,
    /// The threads that the mask names meet, converged or not, at whichever place of the text
    Concurrent,
}
