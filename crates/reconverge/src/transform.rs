//! Changes of IR that keep its convergence.
//!
//! `pass` names them, and this file runs one, or several one after the other.

mod pass;

use reconverge_ir::BodyEnds;
use reconverge_transform::{
    InlineOptions, UnrollOptions, hoist_anchors, hoist_operations, infer_noconvergent, infer_tokens, inline,
    reduce_cycles, sink_anchors, sink_operations, strip_tokens, unroll,
};
use serde::Serialize;

use crate::lines::Lines;
use crate::module::{functions_near, is_asked_for};
use crate::{Error, ErrorKind, Module, Position, Settings};

pub use pass::Pass;

/// A module after a change.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Transformed {
    /// The text. Nothing but what the pass is about is another than before.
    #[serde(serialize_with = "text")]
    pub ir: Vec<u8>,
    /// How many functions change.
    pub functions: usize,
    /// What had to stay as it is, with the rule that says so.
    pub refused: Vec<Refused>,
    /// What could be moved or unrolled, with the verdict on each.
    pub candidates: Vec<Candidate>,
    /// Where other threads may execute an operation together than before, as only `strip-tokens` allows: the first place of each function.
    pub loosened: Vec<Loosened>,
}

/// An operation that other threads may execute together than before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Loosened {
    /// The function, with its sigil.
    pub function: String,
    /// The operation.
    pub position: Position,
    /// What may happen now.
    pub what: String,
}

/// What a pass leaves as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Refused {
    /// The function, with its sigil.
    pub function: String,
    /// The place.
    pub position: Position,
    /// The rule.
    pub rule: String,
}

/// What a pass could move or unroll.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Candidate {
    /// The function, with its sigil.
    pub function: String,
    /// What would be done.
    pub what: String,
    /// The place.
    pub position: Position,
    /// Whether it may be.
    pub verdict: Verdict,
}

/// Whether something may be done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Verdict {
    /// It may be.
    #[non_exhaustive]
    Yes {
        /// Why.
        why: String,
    },
    /// It may not.
    #[non_exhaustive]
    No {
        /// The rule.
        rule: String,
        /// The section of the document that it is in; may be empty.
        section: String,
        /// What is in the way.
        because: Vec<(Position, String)>,
    },
}

/// Runs a pass over a module. What the rules forbid stays as it is, and is said.
///
/// # Errors
/// When the module is not LLVM IR.
pub fn transform(module: &Module, pass: &Pass) -> Result<Transformed, Error> {
    let text = module.ir();
    let target = Some(module.target());
    let transformed = match pass {
        Pass::InferTokens => infer_tokens(text),
        Pass::StripTokens => strip_tokens(text),
        Pass::ReduceCycles => reduce_cycles(text),
        Pass::HoistAnchors => hoist_anchors(text, target),
        Pass::SinkAnchors => sink_anchors(text, target),
        Pass::HoistOperations => hoist_operations(text, target),
        Pass::SinkOperations => sink_operations(text, target),
        Pass::InferNoconvergent { never_diverge } => infer_noconvergent(text, *never_diverge),
        Pass::Inline { functions } => {
            inline(text, &InlineOptions { functions: functions_called(module, functions)?, ..InlineOptions::default() })
        }
        Pass::Unroll { factor, keep_tests, functions, loops } => {
            let (factor, keep_tests) = (*factor, *keep_tests);
            let (functions, loops) = (functions_called(module, functions)?, loops.clone());
            unroll(text, &UnrollOptions { target, factor, keep_tests, functions, loops, ..UnrollOptions::default() })
                .map(|unrolled| unrolled.transformed)
        }
    };
    let transformed = transformed.map_err(|error| module.not_ir(&error))?;
    let lines = Lines::new(text);
    let position = |span: reconverge_ir::Span| {
        let reconverge_ir::Position { line, column } = lines.position(span.range().start);
        Position { line, column }
    };
    let refused = transformed.refusals.into_iter().map(|refusal| Refused {
        function: refusal.function.to_string(),
        position: position(refusal.span),
        rule: refusal.rule.to_string(),
    });
    let candidates = transformed.candidates.into_iter().map(|candidate| Candidate {
        function: candidate.function.to_string(),
        what: candidate.what.to_string(),
        position: position(candidate.span),
        verdict: match candidate.verdict {
            reconverge_transform::Verdict::Yes { why } => Verdict::Yes { why: why.to_string() },
            reconverge_transform::Verdict::No { rule, section, locations } => Verdict::No {
                rule: rule.to_string(),
                section: section.to_string(),
                because: locations.into_iter().map(|one| (position(one.span), one.what.to_string())).collect(),
            },
        },
    });
    let loosened = transformed.loosened.into_iter().map(|one| Loosened {
        function: one.function,
        position: position(one.span),
        what: one.what,
    });
    module.unless_cancelled(Transformed {
        loosened: loosened.collect(),
        functions: transformed.functions,
        refused: refused.collect(),
        candidates: candidates.collect(),
        ir: transformed.edits.apply(text),
    })
}

/// What a pass did before a module was opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct PassDone {
    /// The pass, as it is [written](Pass::NAMED).
    pub pass: String,
    /// How many functions it changed.
    pub functions: usize,
    /// What it left as it was.
    pub refused: Vec<Refused>,
}

/// A module after passes, one after the other.
pub(crate) fn after(module: Module, passes: &[Pass], settings: &Settings) -> Result<Module, Error> {
    let mut done = Vec::new();
    let mut module = module;
    for pass in passes {
        let Transformed { ir, functions, refused, .. } = transform(&module, pass)?;
        done.push(PassDone { pass: pass.to_string(), functions, refused });
        module = Module::new(module.name().to_owned(), ir.into(), None, Vec::new(), settings);
    }
    Ok(if done.is_empty() { module } else { module.with_passes(done) })
}

/// The functions with a body that are asked for, by their names in the IR.
fn functions_called(module: &Module, asked: &[String]) -> Result<Vec<String>, Error> {
    if asked.is_empty() {
        return Ok(Vec::new());
    }
    let ir = reconverge_ir::Module::read(module.ir(), BodyEnds::ByBrackets).map_err(|error| module.not_ir(&error))?;
    let mut called = Vec::new();
    for asked in asked {
        let before = called.len();
        let functions = ir.definitions().filter(|&id| is_asked_for(Some(asked), &ir, id));
        called.extend(functions.map(|id| ir.function_name(id)));
        if called.len() == before {
            let message = functions_near(&ir, asked).instead_of_function(asked);
            return Err(Error::new(ErrorKind::Name, module.name(), message));
        }
    }
    Ok(called)
}

fn text<S: serde::Serializer>(ir: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&String::from_utf8_lossy(ir))
}
