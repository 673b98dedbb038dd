//! The arguments of `transform`, and its passes.

use std::ffi::OsStr;
use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;
use reconverge::Pass;

use super::Inputs;

/// Change IR and keep its convergence; what the rules forbid is refused, with the rule
///
/// Nothing but what the pass is about changes: a diff shows it. A function that is refused stays as it is.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 done; 1 functions were refused; 2 the input or the command line could not be used.\n\n\
                  Examples:\n  reconverge transform infer-tokens kernel.ll -o tokens.ll\n  \
                  reconverge transform strip-tokens kernel.ll -o - | opt -O2 -S\n  \
                  reconverge transform unroll=4 kernel.ll -o unrolled.ll --function main\n  \
                  reconverge transform sink-anchors kernel.ll --dry-run"
)]
pub(crate) struct Transform {
    /// What to do
    #[arg(value_parser = PassParser, value_name = "PASS")]
    pub(crate) pass: Pass,
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// The file to write, or - for standard output
    #[arg(short, long, value_name = "OUT.ll", required_unless_present = "dry_run")]
    pub(crate) output: Option<PathBuf>,
    /// Say what would be done, and what would be refused, and write nothing; of passes that move operations, each candidate with the rule
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// With inline: the functions whose calls are inlined, noinline or not, in place of all that are not noinline. With unroll: the
    /// functions with the loops, in place of all. May be repeated
    #[arg(long = "function", value_name = "NAME")]
    pub(crate) functions: Vec<String>,
    /// With infer-noconvergent: threads of the target never diverge, or never communicate, as those of a CPU
    #[arg(long)]
    pub(crate) threads_never_diverge: bool,
    /// With unroll: the header of the loop, in place of those of all innermost loops; may be repeated
    #[arg(long = "loop", value_name = "BLOCK")]
    pub(crate) loops: Vec<String>,
}

/// Reads a pass, perhaps with what it needs to know: `unroll=4`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PassParser;

impl TypedValueParser for PassParser {
    type Value = Pass;

    fn parse_ref(&self, command: &clap::Command, _: Option<&clap::Arg>, value: &OsStr) -> Result<Pass, clap::Error> {
        let wrong = |message| clap::Error::raw(ErrorKind::InvalidValue, format!("{message}\n")).with_cmd(command);
        value.to_string_lossy().parse().map_err(wrong)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Pass::NAMED.into_iter().map(|(name, help)| PossibleValue::new(name).help(help))))
    }
}
