//! Transforms of LLVM IR that keep thread convergence.
//!
//! A pass reads the text of a module and answers with [`Edits`]: what it changes and nothing else, so that a diff shows what it
//! did. What it may not do to a function it says as a [`Refusal`] that names the rule; the rest of the module is still
//! transformed.

mod declare;
mod edit;
mod identical;
mod inline;
pub mod legality;
mod motion;
mod names;
mod noconvergent;
mod reduce;
mod refusal;
mod tokens;
mod unroll;

pub use edit::{Edit, Edits};
pub use inline::{InlineOptions, inline};
pub use legality::{Candidate, Legality, Location, Unrolling, Verdict};
pub use motion::{hoist_anchors, hoist_operations, sink_anchors, sink_operations};
pub use noconvergent::infer_noconvergent;
pub use reduce::reduce_cycles;
pub use refusal::Refusal;
pub use tokens::{infer_tokens, strip_tokens};
pub use unroll::{Kind, UnrollOptions, Unrolled, unroll};

/// An operation for which less is guaranteed than before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loosened {
    /// The function, with its sigil.
    pub function: String,
    /// What may happen now, in a sentence without a full stop.
    pub what: String,
    /// The operation.
    pub span: reconverge_ir::Span,
}

/// What a pass did to a module.
#[derive(Debug, Clone, Default)]
pub struct Transformed {
    /// What changes.
    pub edits: Edits,
    /// The functions that had to stay as they are, with the rule that says so.
    pub refusals: Vec<Refusal>,
    /// How many functions change.
    pub functions: usize,
    /// For passes that move operations: what could be moved, with the verdict on each.
    pub candidates: Vec<Candidate>,
    /// For what is less than a refinement: the first operation of each function that other threads may execute together now.
    pub loosened: Vec<Loosened>,
}
