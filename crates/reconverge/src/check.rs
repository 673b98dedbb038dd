//! The static rules and lints.

use reconverge_analysis::check::check as check_text;
use reconverge_findings::{Diagnostic, Requirement};

use crate::{Error, Module};

/// What is asked of a check.
#[derive(Debug, Clone, Default)]
pub struct CheckOptions {
    /// Also say which convergent attributes and `convergencectrl` bundles can be dropped.
    pub hints: bool,
}

/// What a check has found.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Checked {
    /// The findings, in the order of the text. Their spans are bytes of the [IR](Module::ir); what the statements of source show is in
    /// [`Source::findings`](crate::Source::findings).
    pub findings: Vec<Diagnostic>,
    /// How many functions have a body.
    pub functions: usize,
    /// How many instructions they have.
    pub instructions: usize,
    /// What functions require of their callers, by their names.
    pub requirements: Vec<(String, Vec<Requirement>)>,
}

/// Checks a module: that it is valid, the rules of convergence control and the `convergent` attribute, and operations that need all threads of a
/// set under divergent control. Almost linear in the text.
///
/// # Errors
/// When the module is not LLVM IR.
///
/// ```
/// use reconverge::{CheckOptions, Input, Settings, check};
/// let kernel = "__kernel void k(__global int *a) { if (get_local_id(0) < 7) barrier(CLK_LOCAL_MEM_FENCE); }";
/// let module = reconverge::open(Input::new("k.cl", kernel, None)?, &Settings::default())?;
/// let codes: Vec<&str> = check(&module, &CheckOptions::default())?.findings.iter().map(|found| found.code.name()).collect();
/// assert_eq!(codes, ["RC0201"]);
/// # Ok::<(), reconverge::Error>(())
/// ```
pub fn check(module: &Module, options: &CheckOptions) -> Result<Checked, Error> {
    let options = reconverge_analysis::check::CheckOptions { target: Some(module.target()), hints: options.hints };
    let report = check_text(module.ir(), &options).map_err(|error| module.not_ir(&error))?;
    let name = |&id: &reconverge_ir::FunctionId| report.module.function_name(id);
    let requirements = report.requirements.iter().map(|(id, required)| (name(id), required.clone())).collect();
    let (functions, instructions) = (report.functions, report.instructions);
    module.unless_cancelled(Checked { findings: report.diagnostics(), functions, instructions, requirements })
}
