//! The arguments of `transform`, and its passes.

use std::ffi::OsStr;
use std::path::PathBuf;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Args, ValueEnum};

use super::Inputs;
use crate::near::Near;

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

/// What a transform does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Pass {
    /// Give uncontrolled convergent operations tokens: one heart a cycle
    InferTokens,
    /// Take all tokens out
    StripTokens,
    /// Give every cycle with several entries one header, a block that branches to them
    ReduceCycles,
    /// Move anchors up, before branches
    HoistAnchors,
    /// Move anchors down, to the side of a branch that needs them, alone or with all operations on their token
    SinkAnchors,
    /// Make one of identical convergent operations on all sides of a branch
    HoistOperations,
    /// Move convergent operations down, to the side of a branch that needs them
    SinkOperations,
    /// Take convergent, bundles and tokens away where they have no effect
    InferNoconvergent,
    /// Put the bodies of functions in the place of their calls
    Inline,
    /// Unroll loops: N iterations in one; fully where there are no more
    #[value(skip)]
    Unroll {
        /// N
        factor: u32,
        /// Whether all copies keep their tests where a remainder would be needed.
        keep_tests: bool,
    },
}

/// Reads a pass, perhaps with what it needs to know: `unroll=4`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PassParser;

impl PassParser {
    /// The passes that are more than a word, as `--help` lists them.
    const WITH_NUMBERS: [(&'static str, &'static str); 2] = [
        ("unroll=N", "Unroll loops: N iterations in one; fully where there are no more"),
        ("unroll=N,keep-tests", "The same, all tests kept in place of a loop for the remainder"),
    ];
}

impl TypedValueParser for PassParser {
    type Value = Pass;

    fn parse_ref(&self, command: &clap::Command, _: Option<&clap::Arg>, value: &OsStr) -> Result<Pass, clap::Error> {
        let text = value.to_string_lossy();
        let unroll = text.strip_prefix("unroll").filter(|rest| rest.is_empty() || rest.starts_with('='));
        let Some(rest) = unroll.map(|rest| rest.trim_start_matches('=')) else {
            let is_it = |pass: &&Pass| pass.to_possible_value().is_some_and(|known| known.matches(&text, false));
            return Pass::value_variants().iter().find(is_it).cloned().ok_or_else(|| {
                let known: Vec<PossibleValue> = self.possible_values().into_iter().flatten().collect();
                let names: Vec<&str> = known.iter().map(PossibleValue::get_name).collect();
                let otherwise = format!("there are {}", names.join(", "));
                // What stands behind `=` is not misspelt.
                let name = text.split('=').next().unwrap_or_default();
                let mut words: Vec<&str> = names.iter().filter_map(|name| name.split('=').next()).collect();
                words.dedup();
                let meant = Near::among(name, words);
                let message = meant.instead_of("pass", &text, &otherwise);
                clap::Error::raw(ErrorKind::InvalidValue, format!("{message}\n")).with_cmd(command)
            });
        };
        let (number, keep_tests) = rest.strip_suffix(",keep-tests").map_or((rest, false), |number| (number, true));
        let factor = number.parse().ok().filter(|factor| (2..=1024).contains(factor));
        factor.map(|factor| Pass::Unroll { factor, keep_tests }).ok_or_else(|| {
            let message = format!("{text}: a number of iterations from 2 to 1024 is wanted, such as unroll=4\n");
            clap::Error::raw(ErrorKind::InvalidValue, message).with_cmd(command)
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let words = Pass::value_variants().iter().filter_map(ValueEnum::to_possible_value);
        let numbers = Self::WITH_NUMBERS.iter().map(|&(name, help)| PossibleValue::new(name).help(help));
        Some(Box::new(words.chain(numbers)))
    }
}
