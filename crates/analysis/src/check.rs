//! Everything that `check` reports about a module.
//!
//! Functions are read, looked at and dropped one at a time, in parallel; what rules about several functions need to
//! know of each is a summary of a few bytes.
//!
//! In a text that is too long to be checked [whole](CheckOptions::whole_up_to), bodies in which threads do nothing together are *passed over*: a [glance](Glance) finds all
//! that they name, so there is nothing in them that convergence is about, and whether their operands and types are valid (RC0001 to RC0006) is not said.

use std::sync::{Mutex, PoisonError};

use reconverge_findings::words::in_ir;
use reconverge_findings::{Diagnostic, Finding, Requirement, Severity};
use reconverge_ir::{Function, FunctionId, Glance, Module, ReadError, read_functions_unless};
use reconverge_valid::{Facts, Rule, Workspace, check_function as breaches_of};
use rustc_hash::FxHashMap;

use crate::flow::OperationKind;
use crate::hazards::{self, Calls, Operations};
use crate::lints::{self, Summary};
use crate::lower::{convergent_calls, kind_of, lower_operations};
use crate::target::Target;
use crate::uniformity::lower::StatedLaunch;
use crate::{addresses, rules, validity};

/// What to report.
#[derive(Debug, Clone, Copy, Default)]
pub struct CheckOptions<'a> {
    /// The target; that of the module's triple if there is none.
    pub target: Option<&'a Target>,
    /// Whether to report attributes that can be dropped.
    pub hints: bool,
    /// How kernels are launched that do not say it.
    pub launch: StatedLaunch,
    /// Kernels, by their names without sigil, and a block in which each is launched, perhaps among others: a race in it is a race.
    pub launched: &'a [(&'a str, [u32; 3])],
    /// Texts of more bytes have bodies that are passed over, unless there are [hints](CheckOptions::hints) to find; none has where this is nothing.
    pub whole_up_to: Option<usize>,
}

/// What was found in a module.
#[derive(Debug)]
pub struct CheckReport<'t> {
    /// The module.
    pub module: Module<'t>,
    /// The findings, by place.
    pub findings: Vec<Finding>,
    /// How many functions have a body.
    pub functions: usize,
    /// How many instructions they have.
    pub instructions: usize,
    /// How many of the functions were passed over.
    pub passed_over: usize,
    /// What functions require of their callers, in the order of the text.
    pub requirements: Vec<(FunctionId, Vec<Requirement>)>,
}

impl CheckReport<'_> {
    /// The findings in the names of the IR. Reads the functions that have any once more.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        in_ir(&self.module, &self.findings)
    }
}

/// Reads a module and checks it, on the threads of the current `rayon` pool.
///
/// # Errors
/// When the text is not LLVM IR.
///
/// ```
/// use reconverge_analysis::check::{CheckOptions, check};
/// let text = b"declare void @op() convergent
/// define void @f() {
///   call void @op()
///   ret void
/// }
/// ";
/// let report = check(text, &CheckOptions::default()).unwrap();
/// assert_eq!(report.findings[0].code.name(), "RC0401");
/// ```
pub fn check<'t>(text: &'t [u8], options: &CheckOptions<'_>) -> Result<CheckReport<'t>, ReadError> {
    let prepare = |module: &Module<'t>| {
        let target = options.target.unwrap_or_else(|| Target::for_triple(&module.target_triple()));
        Ok((target, Operations::new(module, target)))
    };
    // What is wrong outside of bodies; a text may be prepared twice.
    let outside = Mutex::new(Vec::new());
    let prepare_all = |module: &Module<'t>| {
        let facts = Facts::new(module);
        *outside.lock().unwrap_or_else(PoisonError::into_inner) = facts.breaches().to_vec();
        Ok((prepare(module)?.1, facts))
    };
    let visit = |module: &Module<'t>,
                 (operations, facts): &(Operations, Facts),
                 workspace: &mut Workspace,
                 id,
                 function: &Function| {
        let breaches = breaches_of(facts, module, id, function, workspace);
        let mut found = check_function(module, operations, id, function, options);
        // The rules of tokens say the same of tokens, and more.
        let others = breaches.iter().filter(|breach| {
            let is_inside = |found: &Finding| {
                found.severity == Severity::Error && breach.span.range().contains(&(found.at.span.start as usize))
            };
            breach.rule != Rule::TokenDominance && !found.findings.iter().any(is_inside)
        });
        let others: Vec<Finding> = others.map(|breach| validity::in_function(id, function, breach)).collect();
        found.findings.extend(others);
        // Threads are followed through valid functions only.
        if breaches.iter().any(|breach| breach.rule != Rule::TokenDominance) {
            found.calls = Calls::default();
        }
        found
    };
    let glance = Glance::default();
    let is_whole = options.hints || options.whole_up_to.is_none_or(|most| text.len() <= most);
    let pass_over = |module: &Module<'t>, (operations, _): &(Operations, Facts), id| {
        if is_whole {
            return None;
        }
        let is_passed = |symbol, before: &[u8]| operations.is_nothing(module, symbol, before);
        glance.instructions(module, id, is_passed).map(OfFunction::passed_over)
    };
    let (module, functions) = read_functions_unless(text, prepare_all, pass_over, visit)?;
    let instructions = functions.iter().map(|found| found.instructions).sum();
    let count = functions.len();
    let passed_over = functions.iter().filter(|found| found.is_passed_over).count();
    let mut findings = Vec::new();
    let mut summaries = Vec::new();
    let mut calls = FxHashMap::default();
    for (found, id) in functions.into_iter().zip(module.definitions()) {
        findings.extend(found.findings);
        summaries.extend(found.summary);
        if !found.calls.is_empty() {
            calls.insert(id, found.calls);
        }
    }
    findings.extend(addresses::outside_functions(&module));
    let outside = outside.into_inner().unwrap_or_else(PoisonError::into_inner);
    if !outside.is_empty() {
        calls.clear();
    }
    findings.extend(outside.iter().map(validity::outside_functions));
    if options.hints {
        findings.extend(lints::droppable(&module, &summaries));
        findings.extend(lints::speculatable(&module));
    }
    let mut requirements = Vec::new();
    if !calls.is_empty() {
        let (target, operations) = prepare(&module)?;
        let found = hazards::find(&module, target, (options.launch, options.launched), &operations, &calls)?;
        findings.extend(found.findings);
        requirements = found.requirements;
    }
    findings.sort_by_key(|found| (found.at.span.start, found.code));
    hazards::merge(&module, &mut findings);
    Ok(CheckReport { module, findings, functions: count, instructions, passed_over, requirements })
}

/// What was found in a function.
#[derive(Default)]
struct OfFunction {
    findings: Vec<Finding>,
    summary: Option<Summary>,
    calls: Calls,
    instructions: usize,
    is_passed_over: bool,
}

impl OfFunction {
    fn passed_over(instructions: usize) -> OfFunction {
        OfFunction { instructions, is_passed_over: true, ..OfFunction::default() }
    }
}

fn check_function(
    module: &Module<'_>,
    known: &Operations,
    id: FunctionId,
    function: &Function,
    options: &CheckOptions<'_>,
) -> OfFunction {
    let mut findings = Vec::new();
    let mut operations = Vec::new();
    let mut has_control = false;
    for (inst, call) in convergent_calls(module, function) {
        operations.push(inst);
        has_control |= kind_of(module, call) != OperationKind::Call || function.token_bundles(call).next().is_some();
    }
    if module.has_convergence_control() {
        findings.extend(addresses::in_function(module, id, function));
    }
    findings.extend(lints::uncontrolled_in_non_convergent(module, id, function, &operations));
    findings.extend(lints::assembly_that_is_not_convergent(module, id, function));
    let calls = known.calls(module, function, &operations);
    let mut summary = None;
    if options.hints {
        findings.extend(lints::droppable_from_calls(module, id, function, &operations));
        summary = Some(Summary::of(module, id, function, &operations));
    }
    if has_control {
        let lowered = lower_operations(module, id, function, operations);
        let violations = rules::check(&lowered.flow);
        let findings_of = violations.into_iter().map(|violation| lowered.finding(module, id, function, violation));
        findings.extend(findings_of);
    }
    OfFunction { findings, summary, calls, instructions: function.instructions.len(), is_passed_over: false }
}
