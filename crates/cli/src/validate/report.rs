//! What came of a comparison, as JSON.

use std::collections::BTreeMap;

use reconverge::{FindingReport, SourcePlace, Told};
use reconverge_exec::launch::Launch;
use reconverge_findings::Finding;
use reconverge_validate::{Comparison, Counted, Difference, InHierarchy, Side, Step, Verdict, Witness};
use serde::Serialize;

use super::command::run_commands;
use super::{Pair, Version};
use crate::comparing::model_name;
use reconverge::launches::argument_text;

/// What `validate` prints: of one kernel, or of several with what is true of all of them on top.
#[derive(Serialize)]
pub(crate) struct Report {
    before: String,
    after: String,
    verdict: String,
    runs: u64,
    diagnostics: Vec<FindingReport>,
    witness: Option<WitnessReport>,
    kernels: Vec<KernelReport>,
}

#[derive(Serialize)]
struct KernelReport {
    kernel: String,
    verdict: String,
    /// The argument of a proof, or why nothing could be compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<String>,
    runs: u64,
    /// Launches in which the program before does not end, and which are the same up to the limit.
    unended: u64,
    skipped: Vec<Skipped>,
    /// What operations changed places, as they may.
    #[serde(skip_serializing_if = "Option::is_none")]
    reordered: Option<ReorderedReport>,
    /// Values and uses that are in both programs.
    #[serde(skip_serializing_if = "Option::is_none")]
    correspondence: Option<CorrespondenceReport>,
    diagnostics: Vec<FindingReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    witness: Option<WitnessReport>,
}

#[derive(Serialize)]
struct CorrespondenceReport {
    values: CountedReport,
    uses: CountedReport,
}

/// How many there are, how many were uniform before the change, and how many of these are so after it.
#[derive(Serialize)]
struct CountedReport {
    all: u64,
    uniform_before: u64,
    uniform_after: u64,
}

#[derive(Serialize)]
struct Skipped {
    reason: String,
    runs: u64,
}

/// That a thread executes one operation where it executed another one.
#[derive(Serialize)]
struct ReorderedReport {
    thread: u64,
    before: String,
    after: String,
}

/// A launch in which programs differ.
#[derive(Serialize)]
pub(crate) struct WitnessReport {
    kernel: String,
    model: &'static str,
    grid: [u32; 3],
    block: [u32; 3],
    subgroup: u32,
    arguments: BTreeMap<String, String>,
    difference: DifferenceReport,
    #[serde(skip_serializing_if = "Option::is_none")]
    hierarchy: Option<HierarchyReport>,
    before: SideReport,
    after: SideReport,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum DifferenceReport {
    Threads { operation: String, thread: u64, before: Vec<u64>, after: Vec<u64> },
    Value { operation: String, thread: u64, operand: Option<u32>, before: String, after: String },
    Memory { buffer: String, element: u64, before: String, after: String },
    Order { thread: u64, before: String, after: String },
    Trouble { code: &'static str, message: String },
}

/// In which cycle hierarchy of the program after the change there is a difference.
#[derive(Serialize)]
struct HierarchyReport {
    number: usize,
    of: usize,
    equal_in: Vec<usize>,
}

#[derive(Serialize)]
struct SideReport {
    /// What runs it.
    command: String,
    /// The place in `steps` of the first that differs; their number, where the difference is behind all of them.
    first_different: usize,
    steps: Vec<StepReport>,
}

#[derive(Serialize)]
struct StepReport {
    op: String,
    function: String,
    block: String,
    line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<SourcePlace>,
    workgroup: u64,
    threads: Vec<u64>,
    operands: Vec<String>,
    results: Vec<String>,
}

/// The verdict over several kernels: a difference in one is one in all.
pub(crate) fn overall(comparisons: &[Comparison]) -> String {
    let any = |wanted: fn(&Verdict) -> bool| comparisons.iter().any(|comparison| wanted(&comparison.verdict));
    let runs = comparisons.iter().map(|comparison| comparison.runs).sum();
    if any(|verdict| matches!(verdict, Verdict::Different(_))) {
        "different".to_owned()
    } else if any(|verdict| matches!(verdict, Verdict::Equal)) {
        equal_in(runs)
    } else if any(|verdict| matches!(verdict, Verdict::Proved { .. })) {
        "proved".to_owned()
    } else {
        "not-compared".to_owned()
    }
}

fn equal_in(runs: u64) -> String {
    format!("equal-in-{runs}-runs")
}

impl Report {
    pub(crate) fn new(pair: &Pair<'_>, comparisons: &[Comparison]) -> Report {
        let witnesses = comparisons.iter().filter_map(|comparison| match &comparison.verdict {
            Verdict::Different(witness) => Some(WitnessReport::new(pair, witness)),
            _ => None,
        });
        let kernels: Vec<KernelReport> =
            comparisons.iter().map(|comparison| KernelReport::new(pair, comparison)).collect();
        let findings = comparisons.iter().flat_map(|comparison| pair.findings(&comparison.findings));
        Report {
            before: pair.before.name.to_owned(),
            after: pair.after.name.to_owned(),
            verdict: overall(comparisons),
            runs: comparisons.iter().map(|comparison| comparison.runs).sum(),
            diagnostics: findings.collect(),
            witness: witnesses.into_iter().next(),
            kernels,
        }
    }
}

impl KernelReport {
    fn new(pair: &Pair<'_>, comparison: &Comparison) -> KernelReport {
        let (verdict, because, witness) = match &comparison.verdict {
            Verdict::Equal => (equal_in(comparison.runs), None, None),
            Verdict::Proved { by } => ("proved".to_owned(), Some(by.clone()), None),
            Verdict::Different(witness) => ("different".to_owned(), None, Some(WitnessReport::new(pair, witness))),
            Verdict::NotCompared(reason) => ("not-compared".to_owned(), Some(reason.clone()), None),
        };
        let skipped = |(reason, runs): &(String, u64)| Skipped { reason: reason.clone(), runs: *runs };
        KernelReport {
            kernel: format!("@{}", comparison.kernel),
            verdict,
            because,
            runs: comparison.runs,
            unended: comparison.unended,
            skipped: comparison.skipped.iter().map(skipped).collect(),
            reordered: comparison.reordered.as_ref().map(|reordered| ReorderedReport {
                thread: reordered.thread,
                before: format!("@{}", reordered.before),
                after: format!("@{}", reordered.after),
            }),
            correspondence: comparison.correspondence.map(|found| CorrespondenceReport {
                values: CountedReport::new(found.values),
                uses: CountedReport::new(found.uses),
            }),
            diagnostics: pair.findings(&comparison.findings),
            witness,
        }
    }
}

impl CountedReport {
    fn new(Counted { all, uniform, kept }: Counted) -> CountedReport {
        CountedReport { all, uniform_before: uniform, uniform_after: kept }
    }
}

impl WitnessReport {
    pub(crate) fn new(pair: &Pair<'_>, witness: &Witness) -> WitnessReport {
        let launch: &Launch = &witness.launch;
        let argument = |(name, argument): &(String, _)| {
            let text = argument_text(name, argument, pair.given);
            (name.clone(), text.split_once('=').map_or(String::new(), |(_, value)| value.to_owned()))
        };
        let [before, after] = run_commands(pair, witness);
        let hierarchy = witness.hierarchy.as_ref().map(|InHierarchy { number, of, equal_in, .. }| HierarchyReport {
            number: *number,
            of: *of,
            equal_in: equal_in.clone(),
        });
        WitnessReport {
            kernel: format!("@{}", launch.kernel),
            model: model_name(witness.model),
            grid: launch.grid,
            block: launch.block,
            subgroup: launch.subgroup,
            arguments: launch.arguments.iter().map(argument).collect(),
            difference: DifferenceReport::new(pair, &witness.difference),
            hierarchy,
            before: SideReport::new(&witness.before, before),
            after: SideReport::new(&witness.after, after),
        }
    }
}

impl DifferenceReport {
    fn new(pair: &Pair<'_>, difference: &Difference) -> DifferenceReport {
        match difference.clone() {
            Difference::Threads { operation, thread, before, after } => {
                DifferenceReport::Threads { operation: format!("@{operation}"), thread, before, after }
            }
            Difference::Value { operation, thread, operand, before, after } => {
                DifferenceReport::Value { operation: format!("@{operation}"), thread, operand, before, after }
            }
            Difference::Memory { buffer, element, before, after } => {
                DifferenceReport::Memory { buffer, element, before, after }
            }
            Difference::Order { thread, before, after } => {
                DifferenceReport::Order { thread, before: format!("@{before}"), after: format!("@{after}") }
            }
            Difference::Trouble(finding) => {
                let told = pair.after.tell(std::slice::from_ref(&finding)).pop();
                let message = told.map(|told| told.diagnostic.message).unwrap_or_default();
                DifferenceReport::Trouble { code: finding.code.name(), message }
            }
        }
    }
}

impl SideReport {
    fn new(side: &Side, command: String) -> SideReport {
        SideReport {
            command,
            first_different: side.first_different,
            steps: side.steps.iter().map(StepReport::new).collect(),
        }
    }
}

impl StepReport {
    fn new(step: &Step) -> StepReport {
        StepReport {
            op: format!("@{}", step.operation),
            function: format!("@{}", step.function),
            block: step.block.clone(),
            line: step.line,
            source: step.source.as_ref().map(SourcePlace::from),
            workgroup: step.workgroup,
            threads: step.threads.clone(),
            operands: step.operands.clone(),
            results: step.results.clone(),
        }
    }
}

impl<'v> Pair<'v> {
    /// Findings in the program after the change, or in that which has what they are about; where it is source, in the source.
    pub(crate) fn findings(&self, findings: &[Finding]) -> Vec<FindingReport> {
        let report = |(told, version): (Told, &Version<'v>)| {
            let mut report = told.report(&version.lines);
            report.path = (!std::ptr::eq(version, &self.after)).then(|| version.name.to_owned());
            report
        };
        self.tell(findings).into_iter().map(report).collect()
    }
}
