//! Static rules that a change breaks: tokens that break them mean nothing, so that no launch can be compared.

use reconverge_analysis::check::{CheckOptions, check};
use reconverge_analysis::diagnostic::Diagnostic;
use reconverge_exec::Program;
use rustc_hash::FxHashSet;

/// The findings about static rules (RC01xx) in some functions after the change whose rule the function of that name kept before.
pub(crate) fn broken(before: &Program<'_>, after: &Program<'_>, functions: &[String]) -> Vec<Diagnostic> {
    let names: FxHashSet<String> = functions.iter().map(|name| format!("@{name}")).collect();
    let findings = |program: &Program<'_>| {
        let report = check(program.module().text, &CheckOptions::default());
        let diagnostics = report.map(|report| report.diagnostics).unwrap_or_default();
        diagnostics.into_iter().filter(|found| found.code.name().starts_with("RC01")).collect::<Vec<_>>()
    };
    let had: FxHashSet<_> = findings(before).into_iter().map(|found| (found.code, found.function)).collect();
    let is_new = |found: &Diagnostic| {
        found.function.as_ref().is_some_and(|name| names.contains(name))
            && !had.contains(&(found.code, found.function.clone()))
    };
    findings(after).into_iter().filter(is_new).collect()
}
