//! Changes of IR that keep its convergence.

use reconverge_ir::BodyEnds;
use reconverge_transform::{
    InlineOptions, UnrollOptions, hoist_anchors, hoist_operations, infer_noconvergent, infer_tokens, inline,
    reduce_cycles, sink_anchors, sink_operations, strip_tokens, unroll,
};
use serde::Serialize;

use crate::lines::Lines;
use crate::module::{functions_near, is_asked_for};
use crate::{Error, ErrorKind, Module, Position};

/// A change of IR.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Pass {
    /// Give uncontrolled convergent operations tokens: one heart a cycle.
    InferTokens,
    /// Take all tokens out.
    StripTokens,
    /// Give every cycle with several entries one header, a block that branches to them.
    ReduceCycles,
    /// Move anchors up, before branches.
    HoistAnchors,
    /// Move anchors down, to the side of a branch that needs them, alone or with all operations on their token.
    SinkAnchors,
    /// Make one of identical convergent operations on all sides of a branch.
    HoistOperations,
    /// Move convergent operations down, to the side of a branch that needs them.
    SinkOperations,
    /// Take convergent, bundles and tokens away where they say nothing.
    InferNoconvergent {
        /// Whether threads never diverge, or never communicate, which the triple of a CPU says, too: then all of it says nothing.
        never_diverge: bool,
    },
    /// Put the bodies of functions in the place of their calls.
    Inline {
        /// The functions whose calls are inlined; all that are not `noinline` where there are none.
        functions: Vec<String>,
    },
    /// Unroll loops: several iterations in one; fully where there are no more.
    Unroll {
        /// How many iterations.
        factor: u32,
        /// Whether all copies keep their tests where a remainder would be needed.
        keep_tests: bool,
        /// The functions with the loops; all where there are none.
        functions: Vec<String>,
        /// The headers of the loops; those of all innermost loops where there are none.
        loops: Vec<String>,
    },
}

impl Pass {
    /// Why it changes nothing where it has no candidate and refuses nothing: what it looks for, in a sentence without a full stop.
    pub fn finds_nothing(&self) -> &'static str {
        match self {
            Pass::InferTokens => "no function has convergent operations without tokens",
            Pass::StripTokens => "no function has tokens",
            Pass::ReduceCycles => "no cycle has several entries",
            Pass::HoistAnchors => "no anchor is on one side of a branch, or in the header of a cycle",
            Pass::SinkAnchors => "no anchor has a token that is used on one side of a branch only",
            Pass::HoistOperations => "no convergent operation is on each side of a branch",
            Pass::SinkOperations => "no convergent operation has a result that is used on one side of a branch only",
            Pass::InferNoconvergent { .. } => "whatever is convergent has to be, or is only declared",
            Pass::Inline { .. } => "no call is of a function that may be inlined",
            Pass::Unroll { .. } => "no function has a loop",
        }
    }
}

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
    module.unless_cancelled(Transformed {
        functions: transformed.functions,
        refused: refused.collect(),
        candidates: candidates.collect(),
        ir: transformed.edits.apply(text),
    })
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
