//! Static rules that a change breaks: tokens that break them mean nothing, so that no launch can be compared.

use reconverge_analysis::check::{CheckOptions, check};
use reconverge_exec::Program;
use reconverge_findings::Finding;
use rustc_hash::FxHashSet;

/// The findings about static rules (RC01xx) in some functions after the change whose rule the function of that name kept before.
pub(crate) fn broken(before: &Program<'_>, after: &Program<'_>, functions: &[String]) -> Vec<Finding> {
    let names: FxHashSet<&[u8]> = functions.iter().map(String::as_bytes).collect();
    let findings = |program: &Program<'_>| {
        let report = check(program.text(), &CheckOptions::default());
        let findings = report.map(|report| report.findings).unwrap_or_default();
        let named = |found: Finding| {
            let module = program.module();
            let function = module.symbol_name(module.functions[found.at.function?].symbol).into_owned();
            found.code.name().starts_with("RC01").then_some((function, found))
        };
        findings.into_iter().filter_map(named).collect::<Vec<_>>()
    };
    let had: FxHashSet<_> = findings(before).into_iter().map(|(function, found)| (found.code, function)).collect();
    let is_new = |(function, found): &(Vec<u8>, Finding)| {
        names.contains(&function[..]) && !had.contains(&(found.code, function.clone()))
    };
    findings(after).into_iter().filter(is_new).map(|(_, found)| found).collect()
}
