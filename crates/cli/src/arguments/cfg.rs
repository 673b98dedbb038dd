//! What can be asked of `cfg`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::InputFormat;

/// Draw the control-flow graph of a function: where threads diverge and where they meet again
///
/// Blocks with their lines of source or IR, each line with the widest set of threads that it is uniform in; cycles are boxes, divergent branches are bold, and blocks say
/// whether threads reconverge in them. The picture is the one of `report`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  reconverge cfg kernel.cu --function reduce -o reduce.svg\n  \
                  reconverge cfg kernel.ll --function main --format dot | dot -Tpdf -o main.pdf")]
pub(crate) struct Cfg {
    /// A .ll file, a source file, or - for standard input
    #[arg(value_name = "INPUT")]
    pub(crate) input: PathBuf,
    /// What the input is, where content and extension do not tell
    #[arg(long, value_enum, value_name = "KIND")]
    pub(crate) input_format: Option<InputFormat>,
    /// The function; a picture is of one, data may be of all
    #[arg(long, value_name = "F")]
    pub(crate) function: Option<String>,
    /// What to print
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: GraphFormat,
    /// What blocks have in them [default: the source, where there is one]
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) text: Option<GraphText>,
    /// Write to a file in place of standard output
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    /// Flags for clang, where that reads the input
    #[arg(last = true, value_name = "CLANG FLAG")]
    pub(crate) clang_flags: Vec<String>,
}

/// How a graph is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum GraphFormat {
    /// For Graphviz
    Dot,
    /// A picture
    #[default]
    Svg,
    /// JSON: one object
    Json,
}

/// What blocks have in them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphText {
    /// Lines of source
    Source,
    /// Instructions
    Ir,
}
