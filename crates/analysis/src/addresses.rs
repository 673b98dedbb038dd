//! Convergence control intrinsics that are not called directly (RC0110).
//!
//! Behaviour is undefined if such an intrinsic is called indirectly, and whatever else than a direct call
//! names one makes that possible: storing its address, passing it on, comparing it.

use reconverge_ir::constant::{ConstantData, ConstantTables};
use reconverge_ir::function::{Definition, Extra, Value};
use reconverge_ir::{ConvergenceIntrinsic, Function, FunctionId, Module, Span, Symbol};

use reconverge_findings::{Anchor, Code, Finding, Kind};

/// Uses in a function, other than direct calls; O(values), and more only if there is one.
pub(crate) fn in_function(module: &Module<'_>, id: FunctionId, function: &Function) -> Vec<Finding> {
    let mentions = function.values.values().filter(|value| names_intrinsic(module, value.definition).is_some()).count();
    let direct = |extra: Extra| match extra {
        Extra::Call(call) => {
            function.calls[call].callee.expand().is_some_and(|symbol| module.convergence_intrinsic(symbol).is_some())
        }
        _ => false,
    };
    if mentions == function.instructions.values().filter(|data| direct(data.extra)).count() {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for (inst, data) in &function.instructions {
        let operands = function.operands(inst);
        let operands = if direct(data.extra) { &operands[..operands.len() - 1] } else { operands };
        for &operand in operands {
            if let Some(intrinsic) = mentioned_in(module, function, operand) {
                findings.push(finding(Anchor::inst(id, function, inst), intrinsic));
            }
        }
    }
    findings
}

/// Uses outside of functions, such as in the initializer of a variable.
pub(crate) fn outside_functions(module: &Module<'_>) -> Vec<Finding> {
    let finding =
        |&(symbol, name): &(Symbol, Span)| Some(finding(Anchor::outside(name), module.convergence_intrinsic(symbol)?));
    module.top_level_uses.iter().filter_map(finding).collect()
}

fn finding(at: Anchor, intrinsic: ConvergenceIntrinsic) -> Finding {
    Finding::new(Code::RC0110, at, Kind::AddressTaken(intrinsic))
}

fn names_intrinsic(module: &Module<'_>, definition: Definition) -> Option<ConvergenceIntrinsic> {
    match definition {
        Definition::Constant(ConstantData::Global(symbol)) => module.convergence_intrinsic(symbol),
        _ => None,
    }
}

/// The intrinsic that an operand is, or has in it.
fn mentioned_in(module: &Module<'_>, function: &Function, operand: Value) -> Option<ConvergenceIntrinsic> {
    let definition = function.values[operand].definition;
    let ConstantTables { aggregates, expressions } = &function.constants;
    let parts = match definition {
        Definition::Constant(ConstantData::Aggregate(aggregate)) => function.list(aggregates[aggregate]),
        Definition::Constant(ConstantData::Expression(expression)) => function.list(expressions[expression].operands),
        _ => &[],
    };
    names_intrinsic(module, definition).or_else(|| parts.iter().find_map(|&part| mentioned_in(module, function, part)))
}
