//! What an analysis has found in one function of source, in the words and lines of the source.
//!
//! **Invariant.** Nothing here names a value, block or line of the IR: what has no place in the source is not listed. Expressions and branches are the points that
//! questions about lines of the source are about; of instructions that are one expression, the last one speaks.

use reconverge_analysis::uniformity::explanation::{Point, element};
use reconverge_analysis::uniformity::report::Analysis;
use reconverge_analysis::uniformity::story::{tell, why};
use reconverge_findings::words::ChainWords;
use reconverge_findings::{Scene, Voice};
use reconverge_ir::origin::FunctionOrigins;
use rustc_hash::FxHashSet;
use serde::Serialize;

use super::questions::{one_for_each_place, origins_of};
use super::{At, Detail, explain, explain::named};
use crate::source::Source;

/// The uniformity of a function of source.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct SourceUniformity {
    /// The function, as it is written.
    pub name: String,
    /// Where its name is.
    #[serde(flatten)]
    pub at: At,
    /// Variables that are read, calls and other expressions.
    pub expressions: Counted,
    /// Conditions.
    pub branches: Counted,
    /// What is divergent, in the order of the text; nothing if only counts were asked for.
    pub divergent: Vec<SourceReason>,
    /// The loops that threads leave in different iterations, by where they begin: `line 7`.
    pub divergent_exits: Vec<String>,
    /// The set of threads in words, with its article.
    #[serde(skip)]
    pub set: String,
}

/// How many there are, and how many of them are divergent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct Counted {
    /// All.
    pub total: usize,
    /// The divergent ones.
    pub divergent: usize,
}

/// Something divergent, and why.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct SourceReason {
    /// `` `i` ``, or `` the condition `i < n` ``.
    pub name: String,
    /// `value` or `branch`.
    pub kind: &'static str,
    /// Where it is.
    #[serde(flatten)]
    pub at: At,
    /// Why: what follows the name to make a sentence.
    pub reason: String,
}

pub(super) fn list(analysis: &Analysis<'_, '_>, source: &Source, detail: Detail) -> SourceUniformity {
    let subject = &analysis.subject;
    let scene = Scene { module: subject.module, id: subject.id, function: subject.function };
    let voice = source.voice();
    let words = ChainWords { scene, voice: &voice };
    let origins = FunctionOrigins::new(scene.module, scene.id, scene.function, source.words.origins.as_ref());
    let name = subject.module.function_name(subject.id);
    let mut found = SourceUniformity {
        name: voice.written(name.strip_prefix('@').unwrap_or(&name)).into_owned(),
        at: origins.of_function().and_then(|origin| explain::in_source(&source.words, &origin)).unwrap_or_default(),
        expressions: Counted::default(),
        branches: Counted::default(),
        divergent: Vec::new(),
        divergent_exits: Vec::new(),
        set: voice.set(analysis.scope),
    };
    let mut told = FxHashSet::default();
    for (point, origin) in one_for_each_place(origins_of(scene.function, &origins)) {
        let is_divergent = match point {
            Point::Value(value) => analysis.is_divergent(value),
            Point::Terminator(block) => analysis.has_divergent_branch(block),
        };
        let (counted, kind) = match point {
            Point::Value(_) => (&mut found.expressions, "value"),
            Point::Terminator(_) => (&mut found.branches, "branch"),
        };
        counted.total += 1;
        counted.divergent += usize::from(is_divergent);
        if detail < Detail::Names || !is_divergent {
            continue;
        }
        let Some(at) = explain::in_source(&source.words, &origin) else { continue };
        // What is about nothing but itself, as the value that a variable holds, is passed over as in chains.
        let step = element(analysis, point).and_then(|element| {
            let first = why(analysis, element).filter(|step| words.is_told(step));
            first.or_else(|| tell(analysis, element).into_iter().find(|step| words.is_told(step)))
        });
        let name = words.subject(named(point));
        let reason = step.map(|step| words.why(&step)).unwrap_or_default();
        if told.insert((at.file.clone(), at.line, name.clone(), reason.clone())) {
            found.divergent.push(SourceReason { name, kind, at, reason });
        }
    }
    found.divergent.sort_by(|one, other| (&one.at.file, one.at.line).cmp(&(&other.at.file, other.at.line)));
    if detail >= Detail::Names {
        let answer = analysis.answer();
        found.divergent_exits = answer.divergent_exits.iter().map(|&header| voice.block(&scene, header)).collect();
        found.divergent_exits.dedup();
    }
    found
}
