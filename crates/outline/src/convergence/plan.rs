//! Tokens that say what the 2025-04 text says.
//!
//! A node's token is that of its origin: the body's `entry` (or `anchor`), the heart of an iteration statement, or an `anchor` where a unit starts. An iteration
//! statement's heart uses the token of the iteration statement itself.
//!
//! **Why LLVM's static rules hold.** Let `D` define the token of `n`, and let its *scope* be the body, the iteration statement, or the unit at whose start (or head) it
//! is. Two facts are used: (1) No scope is jumped into, so `D` is on every way into it. (2) A step of control flow back over a node, or from it, is that of an iteration
//! statement around the node, or a backward jump whose span contains the node.
//!
//! - *Dominance:* by (1).
//! - *Closed paths, for operations:* A closed path through `n` without `D` stays in the scope, by (1). So does its step back over `n`. But the innermost iteration
//!   statement around `n` is the scope or contains it, and spans that contain `n` start no later than the scope does.
//! - *Closed paths, for hearts:* Let `n` be an iteration statement. For a step back over its start the same holds, so a closed path through its heart without `D` stays in it, where
//!   the heart dominates everything and is the only use of a token from outside.
//! - *Regions of hearts:* all tokens that are used in a reducible iteration statement, but by its heart, are defined in it.
//! - *Regions of anchors:* Let `n` be in the unit `S` with its token, and `m` in `S` with a token from a scope around `S`. Why is that of `n` not the same? Because a span
//!   contains `n` and starts in that scope, at `S` or before it, and does not contain `m`; so `m` comes after its end. To get from `m` to `n` in `S` without a new start of `S` takes a step back over `m`, whose
//!   span (or iteration statement) would have given `m` a token from inside of `S`; and if it is `n` that comes after `m`, the span contains both.

use cranelift_entity::{EntityRef, SecondaryMap};

use super::{Analysis, Origin};
use crate::{Node, Outline, TokenPlan, TokenSource};

/// Where a lowering puts tokens. `analysis` is that of the outline by [`SourceModel::Clang2025_04`](crate::SourceModel). O(nodes).
///
/// Each reducible iteration statement has a heart. There are anchors only where the token of an operation or heart needs one; the token of other
/// nodes may name an anchor that is not there.
pub(super) fn plan(outline: &Outline, analysis: &Analysis) -> TokenPlan {
    let mut plan = TokenPlan { token: outline.per_node(), heart: SecondaryMap::new(), anchor: SecondaryMap::new() };
    for (token, place) in plan.token.values_mut().zip(analysis.places.values()) {
        *token = match place.origin {
            Origin::Body => TokenSource::Body,
            Origin::Iteration(iteration) => TokenSource::Heart(iteration),
            Origin::Execution(unit) | Origin::Round(unit) => TokenSource::Anchor(unit),
        };
    }
    let iterations = || analysis.cycles.values().filter(|data| data.jump.is_none()).map(|data| data.first);
    let has_heart = |iteration: &Node| analysis.entered[*iteration].is_none();
    plan.heart.resize(iterations().rfind(has_heart).map_or(0, |last| last.index() + 1));
    for iteration in iterations().filter(has_heart) {
        plan.heart[iteration] = Some(plan.token[iteration]);
    }
    // Where nothing is left to the implementation, each token is the body's or a heart.
    if analysis.causes.is_empty() {
        return plan;
    }
    for node in outline.nodes.keys() {
        if let TokenSource::Anchor(unit) = plan.token[node]
            && (plan.heart[node].is_some() || outline.operation(node).is_some())
        {
            plan.anchor[unit] = true;
        }
    }
    plan
}
