//! Why a function stays as it is.

use reconverge_ir::Span;

/// What may not be done, with the rule that forbids it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The function, with its sigil; or what of it, in words.
    pub function: String,
    /// The rule, in a sentence without a full stop.
    pub rule: String,
    /// The place that the rule is about.
    pub span: Span,
}
