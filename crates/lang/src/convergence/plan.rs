//! Tokens that say what the 2025-04 text says.
//!
//! A node's token is that of its origin: the body's `entry` (or `anchor`), the heart of an iteration statement, or an `anchor` where a unit starts. An iteration
//! statement's heart uses the token of the iteration statement itself.
//!
//! **Why LLVM's static rules hold.** Let `D` define the token of `n`, at the start of the body, an iteration, or a unit `S`. *Dominance:* neither a unit nor a reducible
//! iteration statement is jumped into. *Closed paths:* A path from `n` to `n` has a step back over `n` or from it: that of an iteration statement
//! around `n`, or a backward jump whose span contains `n`. If the path does not meet `D`, it stays inside the iteration statement or in `S`, so the step does, but there the
//! only cycle around `n` may be its own where `n` is the head of a loop: then the path stays in that loop, whose heart dominates it. *Regions:* Let `m` be in `S` with
//! a token from outside of `S`. That the parent of `S` is no unit for `n` is because of a span that contains `n` and `S` but not that parent (or because it is jumped
//! into; then take the smallest statement around it that is a unit for `m`). The span does not contain `m`, so `m` comes after its end. From `m` one gets
//! to a use of the token of `S` without a new start of `S` only by a step back over `m`, whose span would contain `m`, or to a use after `m`; that one is in a span from before `S`, which
//! would contain `m`, too.

use cranelift_entity::SecondaryMap;

use super::{Analysis, Origin};
use crate::outline::{Outline, TokenPlan, TokenSource};

/// Where a lowering puts tokens. `analysis` is that of the outline by [`SourceModel::Clang2025_04`](crate::options::SourceModel). O(nodes).
///
/// Each reducible iteration statement has a heart. There are anchors only where the token of an operation or heart needs one; the token of other
/// nodes may name an anchor that is not there.
pub(super) fn plan(outline: &Outline, analysis: &Analysis) -> TokenPlan {
    let mut plan = TokenPlan {
        token: SecondaryMap::with_capacity(outline.nodes.len()),
        heart: SecondaryMap::with_capacity(outline.nodes.len()),
        anchor: SecondaryMap::with_capacity(outline.nodes.len()),
    };
    for (node, data) in &outline.nodes {
        let token = match analysis.places[node].origin {
            Origin::Body => TokenSource::Body,
            Origin::Iteration(iteration) => TokenSource::Heart(iteration),
            Origin::Execution(unit) | Origin::Round(unit) => TokenSource::Anchor(unit),
        };
        plan.token[node] = token;
        let has_heart = data.kind.is_iteration() && analysis.entered[node].is_none();
        if has_heart {
            plan.heart[node] = Some(token);
        }
        if let TokenSource::Anchor(unit) = token
            && (has_heart || !data.operations.is_empty())
        {
            plan.anchor[unit] = true;
        }
    }
    plan
}
