//! The exit status: a part of the command line's contract.

use reconverge::{Coverage, Module};
use reconverge_findings::Severity;

/// How a run ended. The greater one wins when several inputs are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// Nothing found.
    Clean,
    /// Errors found; under `--strict`, or warnings.
    Findings,
    /// An input or the command line could not be used.
    Unusable,
    /// Ctrl-C ended it early, as shells see it.
    Interrupted,
    /// An editor went away without a word.
    Abandoned,
}

impl Status {
    /// As the system has it.
    pub(crate) fn code(self) -> i32 {
        match self {
            Status::Clean => 0,
            Status::Findings | Status::Abandoned => 1,
            Status::Unusable => 2,
            Status::Interrupted => 130,
        }
    }

    /// The status that findings of these severities ask for.
    pub(crate) fn of(severities: impl IntoIterator<Item = Severity>, strict: bool) -> Status {
        let least = if strict { Severity::Warning } else { Severity::Error };
        if severities.into_iter().any(|severity| severity >= least) { Status::Findings } else { Status::Clean }
    }

    /// The status that what was left out of a source file asks for: it could not be used where none of its kernels is analysed, or a limit was reached.
    pub(crate) fn of_coverage(module: &Module, strict: bool) -> Status {
        let is_unusable = |coverage: &Coverage| coverage.is_nothing() || coverage.has_reached_limit;
        match module.source() {
            _ if module.error().is_some() => Status::Unusable,
            Some(source) if source.is_partial && source.coverage.as_ref().is_some_and(is_unusable) => Status::Unusable,
            Some(source) if source.is_partial && strict => Status::Findings,
            _ => Status::Clean,
        }
    }

    /// The same for `check`, which has findings in functions that break a rule: those are no loss.
    pub(crate) fn of_checked(module: &Module, strict: bool) -> Status {
        let coverage = module.source().and_then(|source| source.coverage.as_ref());
        let is_no_loss = |coverage: &Coverage| coverage.has_breach() && !coverage.has_reached_limit;
        let is_no_loss = module.error().is_none() && coverage.is_some_and(is_no_loss);
        let most = if is_no_loss { Status::Findings } else { Status::Unusable };
        Status::of_coverage(module, strict).min(most)
    }
}
