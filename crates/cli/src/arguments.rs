//! What can be asked: the grammar of the command line.

#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "these comments are the text of --help, where brackets are brackets"
)]

mod cfg;
mod change;
mod lsp;
mod run;
mod transform;
mod uniformity;

use std::path::PathBuf;
use std::slice;
use std::str::FromStr;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use reconverge_files::NamedBy;

use crate::limits::Setting;
use crate::source::Arch;
use crate::{VERSION, near};
pub(crate) use cfg::{Cfg, GraphFormat, GraphText};
pub(crate) use change::{Bisect, Compared, ComparedModel, Validate};
pub(crate) use lsp::Lsp;
use reconverge::{Code, Level};
use reconverge_exec::launch_grammar::extent::{self, Extent};
pub(crate) use run::{Masks, Run, RunModel};
pub(crate) use transform::Transform;
pub(crate) use uniformity::{Scope, Uniformity};

/// Find barriers, shuffles and votes that not all threads reach, and see which threads execute an operation together
#[derive(Debug, Parser)]
#[command(
    name = "reconverge",
    version = VERSION,
    arg_required_else_help = true,
    after_help = "Exit status: 0 no errors found (there may be warnings); 1 errors (with --strict: or warnings); 2 the input or the\n\
                  command line could not be used.\n\n\
                  Example: reconverge check kernel.ll"
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) verb: Verb,
    #[command(flatten)]
    pub(crate) global: Global,
}

/// Options that every verb takes.
#[derive(Debug, Clone, Args)]
pub(crate) struct Global {
    /// Colour in text output
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub(crate) color: Color,
    /// Number of threads [default: all]
    #[arg(short = 'j', long = "threads", global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) threads: Option<u16>,
    /// The kind of GPU: amdgpu, nvptx, spirv, dxil, generic or a .toml file [default: what the triple says]
    #[arg(long, global = true, value_name = "NAME|FILE.toml")]
    pub(crate) target: Option<String>,
    /// Who has named the target.
    #[arg(skip = NamedBy::User)]
    pub(crate) target_named_by: NamedBy,
    /// The settings of the project [default: reconverge.toml in the folder of the first input, or the nearest one above it]
    #[arg(long, global = true, value_name = "FILE", conflicts_with = "no_config")]
    pub(crate) config: Option<PathBuf>,
    /// Use no settings of the project
    #[arg(long, global = true)]
    pub(crate) no_config: bool,
    /// Print findings only
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Also say what was done and how long it took
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
    /// Let warnings count for the exit status
    #[arg(long, global = true)]
    pub(crate) strict: bool,
    /// Raise or lower a limit of docs/limits.md; can be given several times
    #[arg(long, global = true, value_name = "NAME=VALUE", value_parser = Setting::parse)]
    pub(crate) limit: Vec<Setting>,
    /// The most memory for buffers and variables, for one input, and for what clang or opt prints
    #[arg(long, global = true, value_name = "SIZE", default_value = "8G", value_parser = extent::size)]
    pub(crate) max_memory: u64,
    /// How long clang and opt may take for an answer
    #[arg(long, global = true, value_name = "SECONDS", default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) tool_timeout: u64,
    #[command(flatten)]
    pub(crate) source: SourceOptions,
}

impl Global {
    /// How many bytes are read of one file, or of what a tool prints: what there is memory for. Small launches have less than any text needs.
    pub(crate) fn most_bytes(&self) -> u64 {
        const LEAST: u64 = 1 << 20;
        self.max_memory.max(LEAST)
    }
}

/// How source files are translated.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Source files")]
pub(crate) struct SourceOptions {
    /// What reads source files
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHICH")]
    pub(crate) frontend: Frontend,
    /// Look for included files in this folder; can be given several times
    #[arg(short = 'I', global = true, value_name = "FOLDER")]
    pub(crate) include: Vec<PathBuf>,
    /// Define a macro; can be given several times
    #[arg(short = 'D', global = true, value_name = "NAME[=VALUE]")]
    pub(crate) define: Vec<String>,
    /// Take folders of headers, headers that come first, macros and the processor from compile_commands.json in this folder
    #[arg(short = 'p', global = true, value_name = "FOLDER")]
    pub(crate) compile_commands: Option<PathBuf>,
    /// Where CUDA is, for clang: its headers are read
    #[arg(long, global = true, value_name = "FOLDER")]
    pub(crate) cuda_path: Option<PathBuf>,
    /// The processor that clang compiles for, such as sm_80 or gfx1100; __CUDA_ARCH__ is that of it
    #[arg(long, global = true, value_name = "NAME", value_parser = Arch::from_str)]
    pub(crate) arch: Option<Arch>,
    /// The clang to use [default: clang-22 or clang, as the path has them]
    #[arg(long, global = true, value_name = "PATH")]
    pub(crate) clang: Option<PathBuf>,
}

/// What reads source files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Frontend {
    /// Our own front end; clang, where there is one, for files that ours does not understand
    #[default]
    Auto,
    /// Our own front end
    Builtin,
    /// An installed clang, with debug information
    Clang,
}

/// When to use colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    Check(Check),
    Uniformity(Uniformity),
    Cycles(Cycles),
    Cfg(Cfg),
    Regions(Regions),
    Run(Box<Run>),
    Trace(Trace),
    Report(Report),
    Serve(Serve),
    Lsp(Lsp),
    Lower(Lower),
    Transform(Transform),
    Validate(Box<Validate>),
    Bisect(Box<Bisect>),
    Explain(Explain),
    Doctor(Doctor),
    Completions(Completions),
    Man(Manual),
}

impl Verb {
    /// What is looked at, as far as it is named by paths; of two versions of a program the first.
    pub(crate) fn inputs(&self) -> &[PathBuf] {
        match self {
            Verb::Check(verb) => &verb.inputs.inputs,
            Verb::Uniformity(verb) => &verb.inputs.inputs,
            Verb::Cycles(verb) => &verb.inputs.inputs,
            Verb::Regions(verb) => &verb.inputs.inputs,
            Verb::Trace(verb) => &verb.inputs.inputs,
            Verb::Transform(verb) => &verb.inputs.inputs,
            Verb::Run(verb) => slice::from_ref(&verb.input),
            Verb::Report(verb) => slice::from_ref(&verb.input),
            Verb::Serve(verb) => verb.input.as_slice(),
            Verb::Cfg(verb) => slice::from_ref(&verb.input),
            Verb::Lower(verb) => slice::from_ref(&verb.input),
            Verb::Validate(verb) => slice::from_ref(&verb.before),
            Verb::Bisect(verb) => slice::from_ref(&verb.input),
            Verb::Lsp(_) | Verb::Explain(_) | Verb::Doctor(_) | Verb::Completions(_) | Verb::Man(_) => &[],
        }
    }
}

/// What to read.
#[derive(Debug, Args)]
pub(crate) struct Inputs {
    /// Files, folders (searched for .ll, .cl, .opencl, .ocl, .cu, .hip, .c, .cc, .cpp and .cxx files) or - for standard input
    #[arg(required = true, value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,
    /// What the input is, where content and extension do not tell
    #[arg(long, value_enum, value_name = "KIND")]
    pub(crate) input_format: Option<InputFormat>,
    /// Flags for clang, where that reads the input
    #[arg(last = true, value_name = "CLANG FLAG")]
    pub(crate) clang_flags: Vec<String>,
}

/// What an input is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum InputFormat {
    /// LLVM IR, text
    Ll,
    /// LLVM bitcode, which is not read yet: named so that what makes text of it is said.
    #[value(hide = true)]
    Bc,
    /// LLVM's machine IR, text: `uniformity` and `cycles` only
    Mir,
    /// OpenCL C
    Cl,
    /// CUDA
    Cuda,
    /// HIP
    Hip,
    /// C or C++
    #[value(name = "c++")]
    Cxx,
}

/// Check the static rules of convergence control, the convergent attribute, and operations under divergent control
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 no errors; 1 errors (with --strict: or warnings); 2 an input could not be used.\n\n\
                  Examples:\n  reconverge check kernel.ll\n  reconverge check src/ --write-baseline known.json\n  \
                  reconverge check src/ --baseline known.json --severity RC0202=error\n  reconverge check --short --max-findings 20 src/\n  \
                  reconverge check --format sarif build/ > report.sarif\n  \
                  reconverge check --format junit src/ > report.xml\n  \
                  llvm-dis kernel.bc -o - | reconverge check -"
)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// How to print the findings
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: CheckFormat,
    /// Print one line for each finding
    #[arg(long)]
    pub(crate) short: bool,
    /// List the first N findings only; all count
    #[arg(long, value_name = "N")]
    pub(crate) max_findings: Option<usize>,
    /// Leave out the findings that this file lists
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Write the findings to a file for --baseline
    #[arg(long, value_name = "FILE")]
    pub(crate) write_baseline: Option<PathBuf>,
    /// Let findings with a code be errors, warnings or hints, or turn them off; can be given several times
    #[arg(long, value_name = "CODE=LEVEL", value_parser = CodeLevel::parse)]
    pub(crate) severity: Vec<CodeLevel>,
    /// Also report convergent attributes and convergencectrl bundles that can be dropped
    #[arg(long)]
    pub(crate) hints: bool,
    /// In modules of more than 8 MiB, also check the IR of functions in which nothing is convergent
    #[arg(long)]
    pub(crate) every_body: bool,
    /// How many threads a workgroup has, where the kernel does not say it [default: any number]
    #[arg(long, value_name = "X[,Y[,Z]]")]
    pub(crate) block: Option<Extent>,
    /// How many threads a subgroup has, where neither the target nor the kernel says it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(crate) subgroup: Option<u32>,
    /// For source: the text that defines convergence
    #[arg(long, value_enum, default_value_t)]
    pub(crate) model: SourceModel,
    /// For source: which threads are converged where they enter the program [default: converged; alone in main of C and C++]
    #[arg(long, value_enum, value_name = "ENTRY")]
    pub(crate) entry: Option<Entry>,
}

/// `CODE=LEVEL` of `--severity`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CodeLevel {
    pub(crate) code: Code,
    pub(crate) level: Level,
}

impl CodeLevel {
    fn parse(text: &str) -> Result<CodeLevel, String> {
        let (code, level) = text.split_once('=').ok_or("expected CODE=LEVEL, such as RC0202=error")?;
        Ok(CodeLevel { code: near::code(code)?, level: near::level(level)? })
    }
}

/// Who is together in a function that is called from outside of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Entry {
    /// The threads of a workgroup
    Converged,
    /// No two threads
    Alone,
    /// Whom the implementation chooses
    Implementation,
}

/// Which cycle hierarchy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hierarchy {
    /// By its number, from 1.
    Number(u32),
    /// Each of them.
    All,
}

impl std::str::FromStr for Hierarchy {
    type Err = String;

    fn from_str(text: &str) -> Result<Hierarchy, String> {
        match text {
            "all" => Ok(Hierarchy::All),
            _ => text
                .parse()
                .ok()
                .filter(|&number| number > 0)
                .map(Hierarchy::Number)
                .ok_or_else(|| "expected the number of a hierarchy, from 1, or all".to_owned()),
        }
    }
}

/// Print the cycle hierarchy of each function, as LLVM's cycle analysis finds it
///
/// A cycle is listed with its header and entries. One with several entries is irreducible: which of them is the header then
/// depends on a depth-first search.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  reconverge cycles kernel.ll --function main\n  \
                  reconverge cycles kernel.ll --hierarchy all --format json")]
pub(crate) struct Cycles {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// How to print the cycles
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Only this function
    #[arg(long, value_name = "F")]
    pub(crate) function: Option<String>,
    /// Which hierarchy, by its number, or all; 1 is the one that LLVM finds
    #[arg(long, value_name = "N|all", default_value = "1", conflicts_with = "all_hierarchies")]
    pub(crate) hierarchy: Hierarchy,
    /// The same as --hierarchy all
    #[arg(long)]
    pub(crate) all_hierarchies: bool,
    /// The most hierarchies to list for one function
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_hierarchies: u32,
}

/// Print the convergence region of every token: where it is live
#[derive(Debug, Args)]
#[command(after_help = "Example: reconverge regions kernel.ll --function main")]
pub(crate) struct Regions {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// How to print the regions
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Only this function
    #[arg(long, value_name = "F")]
    pub(crate) function: Option<String>,
}

/// Print the table of what threads execute: who is converged with whom, given the blocks that each goes through
///
/// A row is a thread. Instances of a block in one column are converged, all others are not. H2 is an execution of block H; the
/// first ones of all threads come first in the count. Blocks in no cycle have no number.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 a table; 1 the function breaks a rule, so that there is none; 2 no thread can take a path.\n\n\
                  Examples:\n  reconverge trace kernel.ll --function main --thread entry,loop,exit --thread entry,loop,loop,exit\n  \
                  reconverge trace kernel.ll --function main --model all --thread \"entry, a, c\" --thread \"entry, b, c\"\n  \
                  reconverge trace kernel.cl --function main --thread one,two,last --thread one,one,two,last\n  \
                  reconverge trace kernel.ll --function main --hierarchy all --thread entry,p,q,p,exit --thread entry,q,exit"
)]
pub(crate) struct Trace {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// How to print the table
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: TableFormat,
    /// The function
    #[arg(long, value_name = "F")]
    pub(crate) function: String,
    /// The blocks that a thread executes, from the entry to the end, with commas between; once for each thread. Of source: the evaluations
    /// with convergent operations that it passes, each by the function that it calls, or by its line as L12
    #[arg(long = "thread", required = true, value_name = "STEP,STEP,…")]
    pub(crate) paths: Vec<String>,
    /// Let paths begin and end anywhere; of source: end
    #[arg(long)]
    pub(crate) partial: bool,
    /// Which instances are converged [default: clang-2025-04 for source, controlled for a function with tokens, else maximal]
    #[arg(long, value_enum)]
    pub(crate) model: Option<Model>,
    /// The cycle hierarchy, by its number in `cycles --hierarchy all` [default: 1, the one that LLVM finds]; all: list all pairs of instances,
    /// and in which hierarchies they are converged
    #[arg(long, value_name = "N|all", conflicts_with = "all_hierarchies")]
    pub(crate) hierarchy: Option<Hierarchy>,
    /// The same as --hierarchy all
    #[arg(long)]
    pub(crate) all_hierarchies: bool,
    /// The most hierarchies to look at
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_hierarchies: u32,
    /// Which instances of an anchor are converged; of source: what the implementation does where it has a choice
    #[arg(long, value_enum, default_value_t)]
    pub(crate) anchor: TraceAnchor,
    /// Which threads are converged where they enter the program [default: converged; alone in main of C and C++]
    #[arg(long, value_enum, value_name = "ENTRY")]
    pub(crate) entry: Option<Entry>,
}

/// A model of convergence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Model {
    /// Threads meet wherever they can, counted by cycle headers; tokens do not count
    Maximal,
    /// What the tokens say; maximal where there are none
    Controlled,
    /// Threads that part at a branch meet at its immediate post-dominator
    Ipdom,
    /// Source: thread convergence, April 2025
    #[value(name = "clang-2025-04")]
    Clang2025_04,
    /// Source: thread tangles, October 2024
    #[value(name = "tangles-2024-10")]
    Tangles2024_10,
    /// Source: convergence control, August 2025
    #[value(name = "clang-2025-08")]
    Clang2025_08,
    /// All of them, one after the other; of source: the three texts
    All,
}

/// What anchors do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum TraceAnchor {
    /// Those that would be converged if it were no convergent operation
    #[default]
    Maximal,
    /// None: each thread is on its own
    Solo,
}

/// The formats of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum TableFormat {
    /// For people
    #[default]
    Text,
    /// One JSON object
    Json,
    /// A table for a document
    Markdown,
    /// A picture for a document
    Svg,
}

/// Write one page that shows a program line by line
///
/// Source and IR side by side, linked line by line; of each line the widest set of threads in which it is uniform, and why not in more; the findings of check, each with
/// its chain; and a run, step by step: which threads are together, and which wait. Of two versions of a program, both, side by side: what validate finds, the launch on which
/// they differ, and where first. The page is one file that needs no other and opens in a browser.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  reconverge report kernel.cu -o kernel.html\n  \
                  reconverge report kernel.ll --target amdgpu -o kernel.html\n  \
                  reconverge report kernel.cu --kernel sum --block 8 --arg n=5 -o sum.html\n  \
                  reconverge report before.ll after.ll -o change.html\n  \
                  reconverge report kernel.ll --function main --thread entry,loop,exit --thread entry,loop,loop,exit -o paths.html")]
pub(crate) struct Report {
    /// A .ll file, a source file, or - for standard input
    #[arg(value_name = "INPUT")]
    pub(crate) input: PathBuf,
    /// The same program after a change: the page shows both versions, and what validate finds
    #[arg(value_name = "AFTER", conflicts_with = "function")]
    pub(crate) after: Option<PathBuf>,
    /// What the input is, where content and extension do not tell
    #[arg(long, value_enum, value_name = "KIND")]
    pub(crate) input_format: Option<InputFormat>,
    /// The file to write, or - for standard output
    #[arg(short, long, value_name = "OUT.html")]
    pub(crate) output: PathBuf,
    /// The kernel whose run is shown; else the first ones
    #[arg(long, value_name = "K")]
    pub(crate) kernel: Option<String>,
    /// How many workgroups the run has [default: made up]
    #[arg(long, value_name = "X[,Y[,Z]]")]
    pub(crate) grid: Option<Extent>,
    /// How many threads a workgroup has [default: what the kernel requires, else made up]
    #[arg(long, value_name = "X[,Y[,Z]]")]
    pub(crate) block: Option<Extent>,
    /// How many threads a subgroup has, at most 64 [default: by target, else made up]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(crate) subgroup: Option<u32>,
    /// What a parameter gets in the run, by its name or position; can be given several times [default: made up]
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) arg: Vec<String>,
    /// What launches are made up from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Show the table of given paths in place of a run: the function, as of trace
    #[arg(long, value_name = "F", requires = "paths", conflicts_with_all = ["kernel", "grid", "block", "subgroup", "arg"])]
    pub(crate) function: Option<String>,
    /// The steps of a thread, as of trace; once for each thread
    #[arg(long = "thread", value_name = "STEP,STEP,…", requires = "function")]
    pub(crate) paths: Vec<String>,
    /// Flags for clang, where that reads the input
    #[arg(last = true, value_name = "CLANG FLAG")]
    pub(crate) clang_flags: Vec<String>,
}

/// Show a program in a page that follows while it is edited
///
/// The page is that of report, on 127.0.0.1 only. The address that is printed has a token in it: whoever does not have it gets nothing. Nothing is written, and source is
/// read by the built-in front end only. An input is shown first, and again when its file changes. Ctrl-C ends it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  reconverge serve\n  reconverge serve kernel.cu -I include --port 8000")]
pub(crate) struct Serve {
    /// A .ll or source file to show first, and to watch; else an example
    #[arg(value_name = "INPUT")]
    pub(crate) input: Option<PathBuf>,
    /// What the input is, where content and extension do not tell
    #[arg(long, value_enum, value_name = "KIND")]
    pub(crate) input_format: Option<InputFormat>,
    /// The port on 127.0.0.1 [default: one that is free]
    #[arg(long, value_name = "P", default_value_t = 0, hide_default_value = true)]
    pub(crate) port: u16,
}

/// Translate source to LLVM IR with convergence tokens
///
/// The tokens say what the model says of the source: which threads execute each convergent operation together. The output is checked
/// like any other IR; it can be given to llc, opt and `reconverge run`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  reconverge lower kernel.cl -o kernel.ll\n  \
                  reconverge lower kernel.cu --target amdgpu -I include -D N=64 -o -\n  \
                  reconverge lower kernel.cl --no-tokens -o - | reconverge cycles -")]
pub(crate) struct Lower {
    /// A source file, or - for standard input
    #[arg(value_name = "INPUT")]
    pub(crate) input: PathBuf,
    /// What the input is, where the extension does not tell
    #[arg(long, value_enum, value_name = "KIND")]
    pub(crate) input_format: Option<InputFormat>,
    /// The file to write, or - for standard output
    #[arg(short, long, value_name = "OUT.ll")]
    pub(crate) output: PathBuf,
    /// The text that defines convergence
    #[arg(long, value_enum, default_value_t)]
    pub(crate) model: SourceModel,
    /// Leave tokens out, as compilers do that have none
    #[arg(long)]
    pub(crate) no_tokens: bool,
    /// Leave debug locations out
    #[arg(long)]
    pub(crate) no_debug: bool,
    /// Mark where each statement and full expression begins, and each convergent operation, with calls of @reconverge.marker
    #[arg(long)]
    pub(crate) markers: bool,
}

/// A text that defines convergence at the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum SourceModel {
    /// Thread convergence, April 2025
    #[default]
    #[value(name = "clang-2025-04")]
    Clang2025_04,
    /// Thread tangles, October 2024
    #[value(name = "tangles-2024-10")]
    Tangles2024_10,
    /// Convergence control, August 2025
    #[value(name = "clang-2025-08")]
    Clang2025_08,
}

/// Print the page of a diagnostic, or list all diagnostics
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  reconverge explain RC0113\n  reconverge explain barrier\n  reconverge explain data race"
)]
pub(crate) struct Explain {
    /// The code, such as RC0113, or words that the title has, such as barrier [default: list all codes]
    #[arg(value_name = "CODE|WORD")]
    pub(crate) about: Vec<String>,
}

/// Say which compilers and SDKs were found, and what each is good for
#[derive(Debug, Args)]
#[command(after_help = "Example: reconverge doctor")]
pub(crate) struct Doctor {
    /// The opt to look at [default: opt-22 or opt, as the path has them]
    #[arg(long, value_name = "PATH")]
    pub(crate) opt: Option<PathBuf>,
}

/// Print what a shell reads to complete command lines
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  reconverge completions bash > ~/.local/share/bash-completion/completions/reconverge\n  \
                        reconverge completions zsh > ~/.zfunc/_reconverge"
)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

/// Print the manual page, or write the pages of all commands
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  reconverge man | man -l -\n  reconverge man -o ~/.local/share/man/man1")]
pub(crate) struct Manual {
    /// The folder to write all pages to
    #[arg(short, long, value_name = "FOLDER")]
    pub(crate) output: Option<PathBuf>,
}

/// The formats of findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum CheckFormat {
    /// For people
    #[default]
    Text,
    /// One JSON object
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// JUnit XML, for build servers
    Junit,
    /// A code quality report of GitLab
    Gitlab,
}

/// The formats of everything else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Format {
    /// For people
    #[default]
    Text,
    /// One JSON object
    Json,
}
