//! What a search came to, as JSON.

use reconverge::FindingReport;
use serde::Serialize;

use super::Kept;
use super::dumps::PassRun;
use super::search::{Seen, Why};
use crate::validate::Pair;
use crate::validate::report::WitnessReport;

/// What `bisect` prints. Where no pass is found, the fields about it are null.
#[derive(Serialize)]
pub(super) struct Report {
    /// The class of the pass, such as `SimplifyCFGPass`.
    pass: Option<String>,
    /// Its place among the passes that changed something, from 1.
    index: Option<usize>,
    /// The function that it ran on; the kernel, where it ran on more than one.
    function: Option<String>,
    witness: Option<WitnessReport>,
    /// `communication`, `rules` or `verifier`.
    kind: Option<&'static str>,
    /// How pipelines call the pass.
    name: Option<String>,
    /// What it ran on.
    unit: Option<String>,
    /// What `-opt-bisect-limit` takes to make this pass the last.
    opt_bisect_limit: Option<u64>,
    kernel: Option<String>,
    diagnostics: Vec<FindingReport>,
    /// What opt's verifier says.
    messages: Vec<String>,
    before: Option<String>,
    after: Option<String>,
    /// How many passes changed something, as far as they were looked at.
    steps: usize,
    /// In how many of these a kernel was compared that they changed.
    compared: usize,
    runs: u64,
    not_compared: Vec<NotCompared>,
}

#[derive(Serialize)]
struct NotCompared {
    reason: String,
    steps: usize,
}

impl Report {
    pub(super) fn clean(seen: &Seen) -> Report {
        let not_compared = |(reason, steps): &(String, usize)| NotCompared { reason: reason.clone(), steps: *steps };
        Report {
            pass: None,
            index: None,
            function: None,
            witness: None,
            kind: None,
            name: None,
            unit: None,
            opt_bisect_limit: None,
            kernel: None,
            diagnostics: Vec::new(),
            messages: Vec::new(),
            before: None,
            after: None,
            steps: seen.steps,
            compared: seen.compared,
            runs: seen.runs,
            not_compared: seen.failures.iter().map(not_compared).collect(),
        }
    }

    /// The same, with what was found.
    pub(super) fn found(seen: &Seen, index: usize, pass: &PassRun, why: &Why, kept: &Kept, pair: &Pair<'_>) -> Report {
        let mut report = Report::clean(seen);
        let mut function = pass.function().map(str::to_owned);
        match why {
            Why::Different(comparison) => {
                report.kind = Some("communication");
                report.kernel = Some(format!("@{}", comparison.kernel));
                report.diagnostics = pair.findings(&comparison.findings);
                if let reconverge_validate::Verdict::Different(witness) = &comparison.verdict {
                    report.witness = Some(WitnessReport::new(pair, witness));
                }
                function = function.or_else(|| Some(comparison.kernel.clone()));
            }
            Why::Rules(broken) => {
                report.kind = Some("rules");
                report.diagnostics = pair.findings(broken);
                let told = pair.after.tell(broken.get(..1).unwrap_or_default()).pop();
                let named = told.and_then(|told| told.diagnostic.function);
                function = function.or_else(|| named.map(|name| name.trim_start_matches('@').to_owned()));
            }
            Why::Verifier(messages) => {
                report.kind = Some("verifier");
                report.messages = messages.clone();
            }
        }
        report.pass = Some(pass.class.clone());
        report.index = Some(index);
        report.function = function.map(|name| format!("@{name}"));
        report.name = pass.name.clone();
        report.unit = Some(pass.unit.clone());
        report.opt_bisect_limit = pass.number;
        report.before = Some(kept.before.clone());
        report.after = Some(kept.after.clone());
        report
    }
}
