//! Rules about one operation and its place in the block: RC0101 … RC0109, and RC0112.
//!
//! For operations `X`, `Y`:
//!
//! ```text
//! RC0101  X is entry                       ⇒ the function is convergent
//! RC0102  X is entry                       ⇒ block(X) is the entry block
//! RC0103  X, Y are entry                   ⇒ X = Y
//! RC0104  X is entry, block(Y) = block(X)  ⇒ X comes before Y or X = Y
//! RC0105  X is loop,  block(Y) = block(X)  ⇒ X comes before Y or X = Y
//! RC0106  X is loop                        ⇒ X has a bundle
//! RC0107  X is entry or anchor             ⇒ X has no bundle
//! RC0108  X                                ⇒ at most one bundle, of exactly one operand
//! RC0109  an operand of a bundle           is the result of entry, loop or anchor
//! RC0112  some X has a bundle, Y has none  ⇒ Y is entry, loop or anchor
//! ```
//!
//! RC0112 is read as written: an `anchor` whose token nobody uses has no bundle and controls nothing, so
//! beside uncontrolled operations it is fine.
//!
//! LLVM, Convergent Operation Semantics: *Convergence Control Intrinsics*, *Uncontrolled Convergent Operations*.

use super::Violation;
use crate::flow::{ConvergentOperation, FlowFunction, OperationIndex, OperationKind, TokenSource};
use reconverge_findings::Code;

/// O(operations + operands).
pub(super) fn check(function: &FlowFunction, violations: &mut Vec<Violation>) {
    let mut first_entry = None;
    let first_controlled = function.operations.iter().position(ConvergentOperation::is_controlled);
    for (operation, index) in function.operations.iter().zip(0..) {
        let mut report = |rule, other| violations.push(Violation { other, ..Violation::new(rule, index) });
        let preceding = function.preceding(index);
        match operation.kind {
            OperationKind::Entry => {
                if !function.is_convergent {
                    report(Code::RC0101, None);
                }
                if operation.block != function.graph.entry() {
                    report(Code::RC0102, None);
                }
                if first_entry.is_some() {
                    report(Code::RC0103, first_entry);
                }
                first_entry = first_entry.or(Some(index));
                if preceding.is_some() {
                    report(Code::RC0104, preceding);
                }
            }
            OperationKind::Loop => {
                if preceding.is_some() {
                    report(Code::RC0105, preceding);
                }
                if operation.bundles.is_empty() {
                    report(Code::RC0106, None);
                }
            }
            OperationKind::Anchor => {}
            OperationKind::Call => {
                if let (Some(controlled), false) = (first_controlled, operation.is_controlled()) {
                    report(Code::RC0112, Some(controlled as OperationIndex));
                }
            }
        }
        if matches!(operation.kind, OperationKind::Entry | OperationKind::Anchor) && operation.is_controlled() {
            report(Code::RC0107, None);
        }
        check_bundles(function, index, violations);
    }
}

fn check_bundles(function: &FlowFunction, index: OperationIndex, violations: &mut Vec<Violation>) {
    for (operands, bundle) in function.operations[index as usize].bundles.iter().zip(0..) {
        if bundle > 0 || operands.len() != 1 {
            violations.push(Violation { bundle: Some(bundle), ..Violation::new(Code::RC0108, index) });
        }
        for (&source, operand) in operands.iter().zip(0..) {
            if function.token_definition(source).is_none() {
                let definition = match source {
                    TokenSource::Operation(producer) => Some(producer),
                    TokenSource::Other(_) => None,
                };
                violations.push(Violation {
                    definition,
                    bundle: Some(bundle),
                    operand: Some(operand),
                    ..Violation::new(Code::RC0109, index)
                });
            }
        }
    }
}
