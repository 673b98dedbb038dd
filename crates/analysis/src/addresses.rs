//! Convergence control intrinsics that are not called directly (RC0110).
//!
//! Behaviour is undefined if such an intrinsic is called indirectly, and whatever else than a direct call
//! names one makes that possible: storing its address, passing it on, comparing it.

use reconverge_ir::constant::{ConstantData, ConstantTables};
use reconverge_ir::function::{Definition, Extra, Value};
use reconverge_ir::{ConvergenceIntrinsic, Function, FunctionId, Module, Span, Symbol};

use crate::codes::Code;
use crate::diagnostic::Diagnostic;
use crate::place::Place;

/// Uses in a function, other than direct calls; O(values), and more only if there is one.
pub(crate) fn in_function(module: &Module<'_>, id: FunctionId, function: &Function) -> Vec<Diagnostic> {
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
    let place = Place { module, id, function };
    let mut diagnostics = Vec::new();
    for (inst, data) in &function.instructions {
        let operands = function.operands(inst);
        let operands = if direct(data.extra) { &operands[..operands.len() - 1] } else { operands };
        for &operand in operands {
            if let Some(intrinsic) = mentioned_in(module, function, operand) {
                diagnostics.push(place.diagnostic(Code::RC0110, inst, message(intrinsic), "not a direct call"));
            }
        }
    }
    diagnostics
}

/// Uses outside of functions, such as in the initializer of a variable.
pub(crate) fn outside_functions(module: &Module<'_>) -> Vec<Diagnostic> {
    let diagnostic = |&(symbol, name): &(Symbol, Span)| {
        let intrinsic = module.convergence_intrinsic(symbol)?;
        Some(Diagnostic {
            code: Code::RC0110,
            severity: Code::RC0110.severity(),
            message: message(intrinsic),
            function: None,
            block: None,
            span: name.range(),
            label: "not a direct call".to_string(),
            related: Vec::new(),
            instances: Vec::new(),
            notes: Vec::new(),
            source: None,
        })
    };
    module.top_level_uses.iter().filter_map(diagnostic).collect()
}

fn message(intrinsic: ConvergenceIntrinsic) -> String {
    format!("the address of @{} is taken", intrinsic.name())
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
