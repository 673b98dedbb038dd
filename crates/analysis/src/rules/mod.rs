//! The static rules of convergence control, checked exactly: every breach is reported, not the first.
//!
//! LLVM, Convergent Operation Semantics: *Convergence Control Intrinsics*, *Uncontrolled Convergent
//! Operations*, *Static Rules*.
//!
//! For a function with blocks `B` and convergent operations `O`, let `block(X) ∈ B`; `T(D)` the token that
//! an `entry`, `loop` or `anchor` operation `D` produces; `(U, D)` a *use*: some `convergencectrl` operand of
//! `U` is `T(D)`. `X` *strictly dominates* `Y` when `Y` is reachable, `X ≠ Y`, and every path from the start
//! of the function to `Y` passes `X`, instructions of one block being in order. Three families:
//!
//! | module | codes | about |
//! |---|---|---|
//! | `local` | RC0101 … RC0109, RC0111, RC0112 | one operation, its block, or dominance of a use |
//! | `closed_paths` | RC0113 … RC0116 | simple closed paths of reachable blocks |
//! | `nesting` | RC0117 | convergence regions |
//!
//! RC0110 is about references to intrinsics in a module, which a [`FlowFunction`] does not show.
//!
//! Blocks that cannot be reached have no closed path and no region, and everything dominates them: only the
//! rules that are about the text (all but RC0111 and RC0113 … RC0117) apply there.
//!
//! **Cost.** Nothing beyond one look at each operation when no operation is controlled or an intrinsic.
//! Else near-linear in blocks, edges, operations and operands for a function that keeps the rules. Breaches
//! draw on a fixed allowance of work (`effort`) for what has no near-linear algorithm: the search for a simple
//! closed path through two uses, components around a use that its definition does not dominate, and the
//! shortest witness for each message. When the allowance is spent, the function already has a breach that
//! was reported, so the verdict stands; a `path` may be empty and RC0113 … RC0116 may miss further breaches.

mod closed_paths;
mod effort;
mod local;
mod nesting;
mod paths;

use reconverge_graph::{DepthFirst, Dominators, Node, SuccessorOrder};

use crate::flow::{FlowFunction, OperationIndex, TokenUse};
use effort::Effort;
use reconverge_findings::Code;

/// One breach of one rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The rule.
    pub rule: Code,
    /// The operation that a message points at: the use, where there is one.
    pub operation: OperationIndex,
    /// The definition of the token in question. For RC0109, the operation whose result is no token.
    pub definition: Option<OperationIndex>,
    /// The other operation that matters: the first `entry` (RC0103), the preceding operation (RC0104, RC0105), a
    /// controlled operation (RC0112), the other use (RC0114, RC0115), the definition of the innermost
    /// region that the use breaks out of (RC0117).
    pub other: Option<OperationIndex>,
    /// Blocks that show it; may be empty when the function has very many breaches. RC0113 … RC0116: a closed
    /// path, its first block not repeated at the end. RC0117: a path from the definition of the region,
    /// `other`, through the block of `operation`, to a use that keeps the region alive.
    pub path: Vec<Node>,
    /// The bundle of `operation` that is wrong (RC0108, RC0109).
    pub bundle: Option<u32>,
    /// The operand of that bundle that is wrong (RC0109).
    pub operand: Option<u32>,
}

impl Violation {
    fn new(rule: Code, operation: OperationIndex) -> Violation {
        Violation { rule, operation, definition: None, other: None, path: Vec::new(), bundle: None, operand: None }
    }

    fn of_use(rule: Code, token_use: TokenUse) -> Violation {
        Violation { definition: Some(token_use.definition), ..Violation::new(rule, token_use.operation) }
    }
}

/// Every breach of the static rules, in the order of the operations pointed at, then of codes.
///
/// One breach is reported per
/// - operation and rule, for rules about one operation (RC0106 … RC0109: per bundle, or operand);
/// - use, for RC0111, RC0113, RC0116 and RC0117;
/// - use that comes second in the order of the text, for RC0114 and RC0115, with the first that breaks the rule
///   together with it as `other`.
///
/// Where `operations` are not sorted, as [`FlowFunction`] wants them, the answer means nothing, but it comes.
///
/// # Panics
/// When the block of an operation is not a node of the graph.
pub fn check(function: &FlowFunction) -> Vec<Violation> {
    let operations = &function.operations;
    if !operations.iter().any(|operation| operation.is_controlled() || operation.kind.defines_token()) {
        return Vec::new();
    }
    let mut violations = Vec::new();
    local::check(function, &mut violations);
    let mut uses = function.token_uses();
    if !uses.is_empty() {
        let search = DepthFirst::compute(&function.graph, SuccessorOrder::Forward);
        let dominators = Dominators::from_depth_first(&function.graph, &search);
        uses.retain(|token_use| dominators.is_reachable(function.block_of(token_use.operation)));
        let mut effort = Effort::new();
        let (dominated, stray): (Vec<_>, Vec<_>) = uses.iter().partition(|token_use| {
            strictly_dominates(function, &dominators, token_use.definition, token_use.operation)
        });
        violations.extend(stray.into_iter().map(|token_use| Violation::of_use(Code::RC0111, token_use)));
        closed_paths::check(function, &uses, &search, &dominators, &mut effort, &mut violations);
        nesting::check(function, &dominated, &dominators, &mut effort, &mut violations);
    }
    violations.sort_by_key(|violation| {
        (
            violation.operation,
            violation.rule,
            violation.bundle,
            violation.operand,
            violation.definition,
            violation.other,
        )
    });
    violations
}

/// Whether `definition` comes before `operation` on every path to it; `operation` has to be reachable.
pub(crate) fn strictly_dominates(
    function: &FlowFunction,
    dominators: &Dominators,
    definition: OperationIndex,
    operation: OperationIndex,
) -> bool {
    let (defining, using) = (function.block_of(definition), function.block_of(operation));
    if defining == using { definition < operation } else { dominators.dominates(defining, using) }
}
