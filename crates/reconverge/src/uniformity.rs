//! Uniformity: which values and branches are the same in all threads of a set, and why not.
//!
//! `listing` names what an analysis has found in a function, `points` says it of each value and branch with its place, `explain` answers questions about single ones, `questions`
//! finds what they are about. `annotate` writes a module with all verdicts, `diff` compares two versions of a program, `against` compares with what LLVM prints. Of source,
//! `source_listing` says it in the words and lines of the source.

mod against;
mod annotate;
mod diff;
pub(crate) mod explain;
mod listing;
mod points;
mod questions;
mod source_listing;

use std::collections::BTreeMap;

use reconverge_analysis::target::{Degree, Scope};
use reconverge_analysis::uniformity::refinements::{RefinementKind, Settings};
use reconverge_analysis::uniformity::report::{ReportOptions, analyze_functions};
use reconverge_ir::DebugLocation;
use serde::{Serialize, Serializer};

use crate::m_converged::NotMConverged;
use crate::module::is_asked_for;
use crate::{Error, Module, Progress};

pub use against::{Against, Disagreement, FunctionAgainst, Judgement, against};
pub use annotate::annotate;
pub use diff::{Change, FunctionDiff, UniformityDiff, uniformity_diff};
pub use explain::Answered;
pub use points::{FileSpan, FunctionPoints, Point, points};
pub use questions::line_of_question;
pub use source_listing::{Counted, SourceReason, SourceUniformity};

/// What is asked about uniformity.
#[derive(Debug, Clone)]
pub struct UniformityOptions {
    /// The set of threads.
    pub scope: Scope,
    /// Only this function.
    pub function: Option<String>,
    /// Count what each refinement over LLVM's analysis is worth; takes ten times as long.
    pub refinements: bool,
    /// How much is said of each function.
    pub detail: Detail,
    /// What to explain, in place of a list of all that is divergent: a value (`%x`), a block for its branch (`entry`), or what a line of the IR
    /// or of its source defines (`kernel.ll:12`, `kernel.cl:7`). Of source, a variable (`i`) or a line (`kernel.cl:7`). Only functions with an answer
    /// are listed then.
    pub explain: Vec<String>,
}

/// How much is said of a function. Each says more than those before it, and takes more memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Detail {
    /// How many values and branches there are, and how many of them are divergent.
    Counts,
    /// Which ones.
    #[default]
    Names,
    /// And why, each in a sentence ([`FunctionUniformity::reasons`]).
    Reasons,
}

/// The uniformity of a module.
#[derive(Debug, Clone, Default, Serialize)]
#[non_exhaustive]
pub struct Uniformity {
    /// By function, in the order of the text.
    pub functions: Vec<FunctionUniformity>,
    /// What was to be explained, in the order of the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanations: Option<Vec<Explanation>>,
    /// What became of each question.
    #[serde(skip)]
    pub answered: Vec<Answered>,
    /// How many functions were looked at, those without an answer to any question, too.
    #[serde(skip)]
    pub function_count: usize,
}

/// The uniformity of a function.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct FunctionUniformity {
    /// The function, with its sigil.
    pub name: String,
    /// The line that it begins in.
    pub line: usize,
    /// The target that it was analysed for.
    pub target: String,
    /// The set of threads.
    #[serde(serialize_with = "scope")]
    pub scope: Scope,
    /// The results of instructions.
    pub values: Divergent,
    /// The parameters.
    pub parameters: Divergent,
    /// The terminators, by their blocks.
    pub terminators: Terminators,
    /// Cycles, by their headers.
    pub cycles: DivergentCycles,
    /// What is not m-converged in LLVM's hierarchy.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_m_converged: Vec<NotMConverged>,
    /// What is uniform because of each refinement, and because of `all` of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refinements: Option<BTreeMap<&'static str, Worth>>,
    /// Why things are divergent, in the order of the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasons: Option<Vec<Reason>>,
    /// Of source: the same in its words and lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<SourceUniformity>,
}

/// How many there are, and which of them are divergent.
#[derive(Debug, Clone, Default, Serialize)]
#[non_exhaustive]
pub struct Divergent {
    /// How many there are.
    pub total: usize,
    /// How many of them are divergent.
    #[serde(skip)]
    pub count: usize,
    /// The divergent ones, in the order of the text; none if only counts were asked for.
    pub divergent: Vec<String>,
}

/// The ends of blocks.
#[derive(Debug, Clone, Default, Serialize)]
#[non_exhaustive]
pub struct Terminators {
    /// How many there are.
    pub total: usize,
    /// How many have several successors.
    pub branches: usize,
    /// How many blocks end in a divergent branch.
    #[serde(skip)]
    pub count: usize,
    /// Which ones; none if only counts were asked for.
    pub divergent: Vec<String>,
}

/// Cycles in which threads do not stay together.
#[derive(Debug, Clone, Default, Serialize)]
#[non_exhaustive]
pub struct DivergentCycles {
    /// Irreducible ones, of which nothing is known.
    pub assumed_divergent: Vec<String>,
    /// Those that threads leave in different iterations.
    pub divergent_exit: Vec<String>,
}

/// How many values and branches are uniform because of something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct Worth {
    /// Results of instructions, and parameters.
    pub values: usize,
    /// Branches.
    pub branches: usize,
}

/// Why something is divergent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Reason {
    /// The block that it is in; none for a parameter.
    pub block: Option<String>,
    /// The value; none for the branch of the block.
    pub value: Option<String>,
    /// The rule, a colon, and why it applies.
    pub reason: String,
}

/// Everything about one value or branch.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Explanation {
    /// The function that it is in, with its sigil.
    pub function: String,
    /// `%x`, or `the branch of entry`; of source, `` `i` `` or `` the condition `i < n` ``.
    pub name: String,
    /// `value` or `branch`.
    pub kind: &'static str,
    /// Where it is.
    #[serde(flatten)]
    pub at: At,
    /// The set of threads that was asked about.
    #[serde(serialize_with = "scope")]
    pub scope: Scope,
    /// `divergent` or `uniform`.
    pub verdict: &'static str,
    /// The widest set of threads in which it is uniform.
    #[serde(serialize_with = "some_scope")]
    pub uniform_in: Option<Scope>,
    /// Whether no path leads to it from the function's entry.
    pub unreachable: bool,
    /// Why it is divergent, step by step back to a source; empty if it is uniform.
    pub chain: Vec<Step>,
    /// Of IR: why it is uniform, where LLVM's criteria call it divergent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refined: Option<Refined>,
    /// The function, as it is called in the text of the input.
    #[serde(skip)]
    pub function_words: String,
    /// The verdict and the set of threads in words, to follow the name.
    #[serde(skip)]
    pub verdict_words: String,
    /// Whether it is divergent for another reason than that it is computed, step by step, from something in which threads certainly differ: because of the paths that threads take,
    /// or of what is read from memory or comes out of a call.
    #[serde(skip)]
    pub may: bool,
}

/// A place in the input, and what stands there.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct At {
    /// The line, from 1: of the IR; of source, in `file`. 0 where nothing says which.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// Of source: the file, which may be one that the input includes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Of IR: the place in the source that it was made from, where the IR says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<SourcePlace>,
    /// What stands there: the first line of an instruction, or a line of source.
    #[serde(skip)]
    pub excerpt: String,
}

/// Why something is uniform that LLVM's criteria call divergent.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Refined {
    /// The refinements that it takes.
    #[serde(serialize_with = "refinement_names")]
    pub because: Vec<RefinementKind>,
    /// Why LLVM's criteria call it divergent.
    pub chain: Vec<Step>,
    /// The set of threads, with its article, in the words of the input.
    #[serde(skip)]
    pub set_words: String,
}

/// A step from something divergent towards the source of that.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Step {
    /// Which rule applied.
    pub rule: &'static str,
    /// What is divergent: `%x`, `the branch of entry`.
    pub name: String,
    /// Why: a sentence without a full stop.
    pub message: String,
    /// The block it is in; none for parameters.
    pub block: Option<String>,
    /// Where it is.
    #[serde(flatten)]
    pub at: At,
    /// Two paths that threads take apart, as names of blocks, ends included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paths: Option<[Vec<String>; 2]>,
    /// Of a source: whether threads do differ.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "degree")]
    pub degree: Option<Degree>,
}

/// A place in the source that IR was made from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SourcePlace {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1; 0 where it is not known.
    pub column: u32,
}

impl From<&DebugLocation> for SourcePlace {
    fn from(location: &DebugLocation) -> SourcePlace {
        SourcePlace { file: location.file.clone(), line: location.line, column: location.column }
    }
}

impl Default for UniformityOptions {
    fn default() -> UniformityOptions {
        UniformityOptions {
            scope: Scope::Subgroup,
            function: None,
            refinements: false,
            detail: Detail::default(),
            explain: Vec::new(),
        }
    }
}

/// The uniformity of the functions of a module, for its target. Almost linear in the text.
///
/// # Errors
/// When the module is not LLVM IR.
pub fn uniformity(module: &Module, options: &UniformityOptions) -> Result<Uniformity, Error> {
    let found = if options.explain.is_empty() { list(module, options) } else { explain::explain(module, options) };
    module.unless_cancelled(found.map_err(|error| module.not_ir(&error))?)
}

/// All functions that are asked for.
fn list(module: &Module, options: &UniformityOptions) -> Result<Uniformity, reconverge_ir::ReadError> {
    let scope = options.scope;
    let settings = ReportOptions { target: Some(module.target()), scopes: &[scope] };
    let wanted = |index: &reconverge_ir::Module<'_>, id| {
        !module.control.is_cancelled() && is_asked_for(options.function.as_deref(), index, id)
    };
    let (index, mut functions) = analyze_functions(module.ir(), &settings, wanted, |subject, lowerer| {
        let analysis = subject.analyze(lowerer, scope, &Settings::refined());
        let refinements = options.refinements.then(|| subject.refinement_counts(lowerer, scope));
        let found = listing::list(module, &analysis, refinements.as_ref(), options.detail);
        module.control.tell(Progress::Function);
        found
    })?;
    listing::put_lines(&index, index.definitions().zip(functions.iter_mut().map(Option::as_mut)));
    let functions: Vec<FunctionUniformity> = functions.into_iter().flatten().collect();
    Ok(Uniformity { function_count: functions.len(), functions, ..Uniformity::default() })
}

/// How a set of threads is called in JSON.
pub(crate) fn scope_keyword(scope: Scope) -> &'static str {
    match scope {
        Scope::Subgroup => "subgroup",
        Scope::Workgroup => "workgroup",
        Scope::Grid => "grid",
    }
}

fn scope<S: Serializer>(scope: &Scope, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(scope_keyword(*scope))
}

fn some_scope<S: Serializer>(scope: &Option<Scope>, serializer: S) -> Result<S::Ok, S::Error> {
    scope.map(scope_keyword).serialize(serializer)
}

fn degree<S: Serializer>(degree: &Option<Degree>, serializer: S) -> Result<S::Ok, S::Error> {
    let keyword = |degree| match degree {
        Degree::Certain => "certain",
        Degree::Possible => "possible",
    };
    degree.map(keyword).serialize(serializer)
}

fn refinement_names<S: Serializer>(kinds: &[RefinementKind], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(kinds.iter().map(|kind| kind.name()))
}
