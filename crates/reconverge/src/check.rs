//! The static rules and lints.

use reconverge_analysis::check as analysis;
use reconverge_analysis::uniformity::lower::StatedLaunch;
use reconverge_findings::{Diagnostic, IrVoice, Words, words};
use serde::Serialize;

use crate::findings::{FindingReport, FindingsInFile, by_file};
use crate::lines::Lines;
use crate::source::second_kernels;
use crate::{Coverage, Error, Module};

/// What is asked of a check.
#[derive(Debug, Clone, Default)]
pub struct CheckOptions {
    /// Also say which convergent attributes and `convergencectrl` bundles can be dropped.
    pub hints: bool,
    /// Also say what functions require of their callers ([`Checked::requirements`]).
    pub requirements: bool,
    /// The size of workgroups in launches of kernels that do not say it; of any size where it is none.
    pub block: Option<[u32; 3]>,
    /// The size of subgroups, where neither the target nor the kernel says it.
    pub subgroup: Option<u32>,
    /// Also check that bodies are valid IR in which nothing is convergent, where a module has more than [`WHOLE`] bytes.
    pub every_body: bool,
}

/// IR of no more bytes is [checked whole](CheckOptions::every_body): that takes less than a tenth of a second.
pub const WHOLE: usize = 8 << 20;

/// What a check has found.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Checked {
    /// The findings, by the file that they are in: of source in that, with those that its statements show.
    pub files: Vec<FindingsInFile>,
    /// How many functions have a body.
    pub functions: usize,
    /// How many instructions they have.
    pub instructions: usize,
    /// How many functions of IR were [passed over](analysis::CheckReport::passed_over).
    pub passed_over: usize,
    /// What functions require of their callers: a sentence each.
    pub requirements: Vec<String>,
    /// Whether all [hints](CheckOptions::hints) are among them.
    pub hints: bool,
}

/// What a check has found, as JSON.
#[derive(Debug, Clone, Default, Serialize)]
#[non_exhaustive]
pub struct CheckReport {
    /// The findings.
    pub diagnostics: Vec<FindingReport>,
    /// How many functions have a body.
    pub functions: usize,
    /// How many instructions they have.
    pub instructions: usize,
    /// How many of the functions were [passed over](analysis::CheckReport::passed_over).
    #[serde(skip_serializing_if = "is_zero")]
    pub passed_over: usize,
    /// Of source: how much of it is analysed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage: Option<Coverage>,
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
/// let found = check(&module, &CheckOptions::default())?.report(&module);
/// assert_eq!((found.diagnostics[0].code, found.diagnostics[0].line), ("RC0209", 1));
/// # Ok::<(), reconverge::Error>(())
/// ```
pub fn check(module: &Module, options: &CheckOptions) -> Result<Checked, Error> {
    let launch = StatedLaunch { block: options.block, subgroup: options.subgroup };
    let whole_up_to = (!options.every_body).then_some(WHOLE);
    let launched: Vec<(&str, [u32; 3])> = module.stated_blocks().collect();
    let asked = analysis::CheckOptions {
        target: Some(module.target()),
        hints: options.hints,
        launch,
        launched: &launched,
        whole_up_to,
    };
    let found = analysis::check(module.ir(), &asked).map_err(|error| module.not_ir(&error))?;
    let mut requirements = Vec::new();
    if options.requirements {
        let words = Words::new(&found.module, IrVoice);
        for (function, required) in &found.requirements {
            let name = found.module.function_name(*function);
            requirements.extend(required.iter().map(|requirement| words::requirement(&words, &name, requirement)));
        }
    }
    module.unless_cancelled(Checked {
        files: by_file(module, &found.module, &found.findings),
        functions: found.functions - second_kernels(&found.module),
        instructions: found.instructions,
        // The IR of source is ours.
        passed_over: if module.source().is_some() { 0 } else { found.passed_over },
        requirements,
        hints: options.hints,
    })
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl Checked {
    /// All findings.
    pub fn findings(&self) -> impl Iterator<Item = &Diagnostic> {
        self.files.iter().flat_map(|file| &file.diagnostics)
    }

    /// The findings that count: all until [triage](crate::Triage).
    pub fn counting(&self) -> impl Iterator<Item = &Diagnostic> {
        self.findings().filter(|diagnostic| diagnostic.suppression.is_none())
    }

    /// What is printed of it as JSON; `module` is what was checked.
    pub fn report(&self, module: &Module) -> CheckReport {
        let mut diagnostics = Vec::new();
        for file in &self.files {
            let lines = Lines::new(file.source.as_deref().unwrap_or(module.ir()));
            let path = Some(&file.path).filter(|path| *path != module.name());
            let report = |found| FindingReport { path: path.cloned(), ..FindingReport::new(found, &lines) };
            diagnostics.extend(file.diagnostics.iter().map(report));
        }
        let coverage = module.source().and_then(|source| source.coverage.clone());
        CheckReport {
            diagnostics,
            functions: self.functions,
            instructions: self.instructions,
            passed_over: self.passed_over,
            coverage,
        }
    }
}
