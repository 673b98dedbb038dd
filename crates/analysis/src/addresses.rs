//! Convergence control intrinsics that are not called directly (RC0110).
//!
//! Behaviour is undefined if such an intrinsic is called indirectly, and whatever else than a direct call
//! names one makes that possible: storing its address, passing it on, comparing it.

use reconverge_ir::constant::{ConstantData, ConstantTables};
use reconverge_ir::function::{Definition, Extra, Value};
use reconverge_ir::{ConvergenceIntrinsic, Function, FunctionId, Module, Span, SymbolKind};

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
    let mut diagnostics = Vec::new();
    if !module.has_convergence_control() {
        return diagnostics;
    }
    for intrinsic in ConvergenceIntrinsic::ALL {
        let Some(symbol) = module.symbol_named(intrinsic.name().as_bytes()) else { continue };
        let declared_at = match module.symbols[symbol].kind {
            SymbolKind::Function(function) => module.functions[function].header,
            _ => Span::default(),
        };
        for at in mentions_outside_bodies(module, intrinsic) {
            let in_declaration = declared_at.range().contains(&at);
            if !in_declaration {
                diagnostics.push(Diagnostic {
                    code: Code::RC0110,
                    severity: Code::RC0110.severity(),
                    message: message(intrinsic),
                    function: None,
                    block: None,
                    span: at..at + 1 + intrinsic.name().len(),
                    label: "not a direct call".to_string(),
                    related: Vec::new(),
                    notes: Vec::new(),
                });
            }
        }
    }
    diagnostics
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

/// The places of `@name` that are in no body, comment or string; O(text outside of bodies).
fn mentions_outside_bodies(module: &Module<'_>, intrinsic: ConvergenceIntrinsic) -> Vec<usize> {
    let name = format!("@{}", intrinsic.name());
    let bodies = module.functions.values().filter_map(|function| function.body).map(Span::range);
    let mut places = Vec::new();
    let mut gap_start = 0;
    for body in bodies.chain([module.text.len()..module.text.len()]) {
        let gap = &module.text[gap_start..body.start];
        places.extend(mentions(gap, name.as_bytes()).map(|at| gap_start + at));
        gap_start = body.end;
    }
    places
}

/// Where `name` stands in a text, outside of strings and comments. Strings may span lines; comments do not.
fn mentions<'t>(text: &'t [u8], name: &'t [u8]) -> impl Iterator<Item = usize> + 't {
    let (mut in_string, mut in_comment) = (false, false);
    text.iter().enumerate().filter_map(move |(at, &byte)| {
        in_string ^= byte == b'"' && !in_comment;
        in_comment = !in_string && byte != b'\n' && (in_comment || byte == b';');
        let ends = |rest: &[u8]| !rest.first().is_some_and(|&b| b.is_ascii_alphanumeric() || b"$._-".contains(&b));
        (!in_string && !in_comment && text[at..].strip_prefix(name).is_some_and(ends)).then_some(at)
    })
}
