//! RC0117: convergence regions are well nested.
//!
//! With `uses(D)` and `R(D)` as in [`regions`](crate::regions):
//!
//! ```text
//! U ∈ uses(D₂),  U ∈ R(D₁),  D₁ ≠ D₂   ⇒   D₂ ∈ R(D₁)
//! ```
//!
//! Let `U ∈ uses(D₂)` and let `D₁` be the innermost definition whose region contains `U`. There is one, as `U ∈ R(D₂)`. The rule
//! holds for `U` and all regions iff `D₁ = D₂`. If `D₁ = D₂`, every other region around `U` belongs to a
//! definition that strictly dominates `D₂`, and fact 3 of [`regions`](crate::regions) puts `D₂` in it. If not,
//! `D₂` strictly dominates `D₁`, so `D₁` does not dominate `D₂`, which is therefore not in `R(D₁)`. So a stack is
//! all there is to it: a token may be used only where every token defined since is dead.
//!
//! LLVM, Convergent Operation Semantics: *Convergence Regions*.

use reconverge_graph::{Dominators, Node};

use super::Violation;
use super::effort::Effort;
use super::paths::shortest_path;
use crate::flow::{FlowFunction, OperationIndex, TokenUse};
use crate::regions::{UsesByDefinition, innermost_live};
use reconverge_findings::Code;

/// `uses` are those that can be reached and that their definition strictly dominates. Almost linear, witnesses aside.
pub(super) fn check(
    function: &FlowFunction,
    uses: &[TokenUse],
    dominators: &Dominators,
    effort: &mut Effort,
    violations: &mut Vec<Violation>,
) {
    let innermost = innermost_live(function, dominators, uses);
    let broken = |token_use: &&TokenUse| innermost[token_use.operation as usize] != Some(token_use.definition);
    let mut by_definition = None;
    for &token_use in uses.iter().filter(broken) {
        let by_definition = by_definition.get_or_insert_with(|| UsesByDefinition::new(function, uses));
        let region = innermost[token_use.operation as usize];
        let path = region
            .and_then(|region| live_path(function, region, token_use.operation, by_definition.uses(region), effort));
        violations.push(Violation {
            other: region,
            path: path.unwrap_or_default(),
            ..Violation::of_use(Code::RC0117, token_use)
        });
    }
}

/// Blocks from that of `definition`, through that of `point`, to one of its `uses`, without executing
/// `definition` again.
fn live_path(
    function: &FlowFunction,
    definition: OperationIndex,
    point: OperationIndex,
    uses: &[OperationIndex],
    effort: &mut Effort,
) -> Option<Vec<Node>> {
    let (home, here) = (function.block_of(definition), function.block_of(point));
    let mut path = match home == here {
        true => vec![home],
        false => shortest_path(&function.graph, home, |node| node == here, |_| false, effort)?,
    };
    let up_to_here = uses.partition_point(|&operation| function.block_of(operation) <= here);
    let last_here = uses[..up_to_here].last().filter(|&&operation| function.block_of(operation) == here);
    if last_here.is_none_or(|&operation| operation < point) {
        let in_use = |node| uses.binary_search_by_key(&node, |&operation| function.block_of(operation)).is_ok();
        let onwards = shortest_path(&function.graph, here, in_use, |node| node == home, effort)?;
        path.extend(&onwards[1..]);
    }
    Some(path)
}
