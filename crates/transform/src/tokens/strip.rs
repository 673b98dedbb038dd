//! `strip-tokens`: convergence as it was before there were tokens.
//!
//! Every `convergencectrl` bundle goes, and every call of an intrinsic that makes a token. What is left are uncontrolled convergent operations, whose
//! threads the implementation chooses: less is guaranteed than before, so this is no refinement, but what
//! compilers without tokens make of a program. A function in which something else uses such a token stays as it is.
//!
//! Without tokens, threads are usually together at an operation that begin the function together, in each iteration of the cycles around it as their headers count them: `infer-tokens` says
//! so. Where the tokens say anything else, [`Loosened`] is told: an operation whose token is no heart at the header of the innermost cycle around it, on such a one of the cycle around
//! that, and so on to an `entry`. An `anchor` in that place may choose the same threads.

use cranelift_entity::EntityRef;
use reconverge_graph::{CycleForest, Node, SuccessorOrder};
use reconverge_ir::function::{Block, CallData, Definition, Extra, Inst, Value};
use reconverge_ir::types::Type;
use reconverge_ir::{ConvergenceIntrinsic, Function, FunctionId, Module, ReadError};
use reconverge_valid::read_functions;

use crate::edit::line_of;
use crate::{Edits, Loosened, Refusal, Transformed};

/// Takes all convergence tokens out of a module. O(text).
///
/// # Errors
/// When the text is not LLVM IR.
pub fn strip_tokens(text: &[u8]) -> Result<Transformed, ReadError> {
    let (_, functions) = read_functions(text, |module, id, function| {
        other_use(module, id, function)
            .map_or_else(|| Ok((strip(module, function), loosened(module, id, function))), Err)
    })?;
    let mut transformed = Transformed::default();
    for answer in functions {
        match answer {
            Ok((edits, _)) if edits.is_empty() => {}
            Ok((edits, loosened)) => {
                transformed.functions += 1;
                transformed.edits.extend(edits);
                transformed.loosened.extend(loosened);
            }
            Err(refusal) => transformed.refusals.push(refusal),
        }
    }
    Ok(transformed)
}

/// The refusal to take tokens out of a function in which an instruction uses one otherwise than in a `convergencectrl` bundle: a `freeze`, or
/// a call with another bundle.
pub(crate) fn other_use(module: &Module<'_>, id: FunctionId, function: &Function) -> Option<Refusal> {
    if !module.has_convergence_control() {
        return None;
    }
    let is_made = |inst: Inst| {
        let Extra::Call(call) = function.instructions[inst].extra else { return false };
        function.calls[call].callee.expand().is_some_and(|callee| module.convergence_intrinsic(callee).is_some())
    };
    let is_convergence_token = |value: &&Value| {
        let data = &function.values[**value];
        data.ty == Type::TOKEN && matches!(data.definition, Definition::Instruction(inst) if is_made(inst))
    };
    let tokens = |values: &[Value]| values.iter().filter(is_convergence_token).count();
    let has_other_use = |&inst: &Inst| {
        let in_bundles = match function.instructions[inst].extra {
            Extra::Call(call) => {
                let bundles = function.calls[call].bundles.of(&function.bundles).iter();
                let controls = bundles.filter(|bundle| bundle.is_convergence_control);
                controls.map(|bundle| tokens(function.list(bundle.operands))).sum()
            }
            _ => 0,
        };
        tokens(function.operands(inst)) > in_bundles
    };
    let found = function.instructions.keys().find(has_other_use)?;
    Some(Refusal {
        function: module.function_name(id),
        rule: "a token is used outside of `convergencectrl`, where nothing could take its place".to_owned(),
        span: function.instructions[found].span,
    })
}

fn strip(module: &Module<'_>, function: &Function) -> Edits {
    let mut edits = Edits::default();
    if !module.has_convergence_control() {
        return edits;
    }
    for data in function.instructions.values() {
        let Extra::Call(call) = data.extra else { continue };
        let call = &function.calls[call];
        let intrinsic = call.callee.expand().and_then(|callee| module.convergence_intrinsic(callee));
        if intrinsic.is_some() {
            edits.delete(line_of(module.text, data.span));
        } else if let Some(bundles) = without_tokens(module, function, call) {
            edits.replace(call.bundle_list.range(), bundles);
        }
    }
    edits
}

/// The first operation whose token says something else than what is usual without one.
fn loosened(module: &Module<'_>, id: FunctionId, function: &Function) -> Option<Loosened> {
    if !module.has_convergence_control() {
        return None;
    }
    let forest = CycleForest::compute(&function.control_flow_graph(), SuccessorOrder::Forward);
    let call = |inst: Inst| match function.instructions[inst].extra {
        Extra::Call(call) => Some(&function.calls[call]),
        _ => None,
    };
    let kind = |inst: Inst| module.convergence_intrinsic(call(inst)?.callee.expand()?);
    let token = |inst: Inst| {
        let bundle = function.token_bundles(call(inst)?).next()?;
        match function.values[*function.list(bundle.operands).first()?].definition {
            Definition::Instruction(token) => Some(token),
            _ => None,
        }
    };
    let node = |inst: Inst| Node::new(function.instructions[inst].block.index());
    let is_usual = |inst: Inst| {
        let mut cycle = forest.innermost(node(inst));
        let mut next = token(inst);
        while let Some(token_of) = next {
            match (kind(token_of), cycle) {
                (Some(ConvergenceIntrinsic::Entry), None) => return true,
                (Some(ConvergenceIntrinsic::Anchor), _) => return forest.innermost(node(token_of)) == cycle,
                (Some(ConvergenceIntrinsic::Loop), Some(around))
                    if forest.is_reducible(around) && forest.cycles[around].header == node(token_of) =>
                {
                    (next, cycle) = (token(token_of), forest.cycles[around].parent);
                }
                _ => return false,
            }
        }
        false
    };
    let mut operations = function.instructions.keys().filter(|&inst| token(inst).is_some() && kind(inst).is_none());
    let inst = operations.find(|&inst| !is_usual(inst))?;
    // The cycle whose iterations the token tells apart, and the operation is behind.
    let left = token(inst)
        .and_then(|token| forest.innermost(node(token)))
        .filter(|&cycle| !forest.contains(cycle, node(inst)));
    let name = |node: Node| module.local_name(function.blocks[Block::new(node.index())].name);
    let what = match (left, forest.innermost(node(inst))) {
        (Some(cycle), _) => format!(
            "threads that leave the cycle at {} in different iterations may execute this together without its token",
            name(forest.cycles[cycle].header)
        ),
        (None, Some(cycle)) => format!(
            "without its token, the header {} tells iterations of the cycle apart, and no longer a heart elsewhere: other threads may execute this together",
            name(forest.cycles[cycle].header)
        ),
        (None, None) => "other threads may execute this together without its token".to_owned(),
    };
    Some(Loosened { function: module.function_name(id), what, span: function.instructions[inst].span })
}

/// The bundles of a call without that of its token; none where it has no token.
pub(crate) fn without_tokens(module: &Module<'_>, function: &Function, call: &CallData) -> Option<String> {
    let bundles = call.bundles.of(&function.bundles);
    if !bundles.iter().any(|bundle| bundle.is_convergence_control) {
        return None;
    }
    // The text of each bundle goes from its tag to before that of the next one, or the bracket.
    let ends = bundles.iter().skip(1).map(|next| next.tag.range().start);
    let close = call.bundle_list.range().end - 1;
    let kept: Vec<String> = bundles
        .iter()
        .zip(ends.chain([close]))
        .filter(|(bundle, _)| !bundle.is_convergence_control)
        .map(|(bundle, end)| {
            let text = String::from_utf8_lossy(&module.text[bundle.tag.range().start..end]);
            text.trim().trim_end_matches(',').to_owned()
        })
        .collect();
    Some(if kept.is_empty() { String::new() } else { format!(" [ {} ]", kept.join(", ")) })
}
