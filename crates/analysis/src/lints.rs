//! Lints about the `convergent` attribute ("Inferring non-convergence" in the LLVM document).
//!
//! One is about an attribute that is missing: a function that contains an uncontrolled convergent
//! operation depends on the threads that entered it, so it has to be convergent. The others are the
//! three cases in which it can be dropped:
//!
//! 1. where threads never communicate convergently: on a CPU (RC0404);
//! 2. from a call that always calls a function that is not convergent (RC0403);
//! 3. from a function that contains neither a call of the entry intrinsic nor an uncontrolled convergent
//!    operation (RC0402). Dropping it from one function can make calls of that function non-convergent, and so
//!    allow it in the callers: the answer is the greatest set of functions in which every uncontrolled
//!    convergent operation calls a function of the set.
//!
//! One more is about a call that lacks it: of inline assembly in which threads communicate (RC0406).
//!
//! And one about an attribute that does nothing: who executes a convergent operation matters, so `speculatable` does not allow to speculate it (RC0405, "Other Interactions").

use reconverge_findings::{Anchor, AttributeBreach, Code, Finding, Kind};
use reconverge_ir::function::{Extra, Inst};
use reconverge_ir::{Function, FunctionId, Module};
use rustc_hash::FxHashMap;

use crate::flow::OperationKind;
use crate::lower::kind_of;

/// What dropping `convergent` from functions depends on.
#[derive(Debug, Clone)]
pub(crate) struct Summary {
    id: FunctionId,
    /// Whether something in it needs the attribute whatever other functions do: a call of the entry intrinsic, or an
    /// uncontrolled convergent operation that does not just call a function of this module.
    needs_attribute: bool,
    /// The functions that its other uncontrolled convergent operations call.
    callees: Vec<FunctionId>,
}

impl Summary {
    /// Summarises a function with these convergent operations.
    pub(crate) fn of(module: &Module<'_>, id: FunctionId, function: &Function, operations: &[Inst]) -> Summary {
        let mut summary = Summary { id, needs_attribute: false, callees: Vec::new() };
        for &inst in operations {
            let Extra::Call(call) = function.instructions[inst].extra else { continue };
            let call = &function.calls[call];
            let kind = kind_of(module, call);
            let controlled = kind != OperationKind::Call || function.token_bundles(call).next().is_some();
            let callee = call.callee.expand().and_then(|symbol| module.function_of(symbol));
            match callee {
                _ if kind == OperationKind::Entry => summary.needs_attribute = true,
                _ if controlled => {}
                // RC0403 drops the attribute of the call itself.
                Some(callee) => summary.callees.push(callee),
                None => summary.needs_attribute = true,
            }
        }
        summary
    }
}

/// RC0401: a function that is not convergent and has uncontrolled convergent operations.
pub(crate) fn uncontrolled_in_non_convergent(
    module: &Module<'_>,
    id: FunctionId,
    function: &Function,
    operations: &[Inst],
) -> Option<Finding> {
    if module.functions[id].convergent {
        return None;
    }
    let uncontrolled: Vec<Inst> =
        operations.iter().copied().filter(|&inst| is_uncontrolled(module, function, inst)).collect();
    let (&first, rest) = uncontrolled.split_first()?;
    let breach = AttributeBreach::Missing { more: rest.len() };
    Some(Finding::new(Code::RC0401, Anchor::inst(id, function, first), Kind::Attribute(breach)))
}

fn is_uncontrolled(module: &Module<'_>, function: &Function, inst: Inst) -> bool {
    let Extra::Call(call) = function.instructions[inst].extra else { return false };
    let call = &function.calls[call];
    kind_of(module, call) == OperationKind::Call && function.token_bundles(call).next().is_none()
}

/// RC0406: calls of inline assembly with operations of several threads that are not convergent.
pub(crate) fn assembly_that_is_not_convergent(
    module: &Module<'_>,
    id: FunctionId,
    function: &Function,
) -> Vec<Finding> {
    let calls = function.instructions.iter().filter_map(|(inst, data)| {
        let Extra::Call(call) = data.extra else { return None };
        let call = &function.calls[call];
        let is_convergent = call.convergent || function.token_bundles(call).next().is_some();
        if is_convergent || call.callee.is_some() {
            return None;
        }
        if !module.assembly_communicates(function, inst) {
            return None;
        }
        let at = Anchor::inst(id, function, inst);
        Some(Finding::new(Code::RC0406, at, Kind::Attribute(AttributeBreach::MissingOnAssembly)))
    });
    calls.collect()
}

/// RC0403: convergent calls of functions that are not convergent.
pub(crate) fn droppable_from_calls(
    module: &Module<'_>,
    id: FunctionId,
    function: &Function,
    operations: &[Inst],
) -> Vec<Finding> {
    let droppable = operations.iter().filter_map(|&inst| {
        let Extra::Call(call) = function.instructions[inst].extra else { return None };
        let callee = function.calls[call].callee.expand()?;
        let is_function = module.function_of(callee).is_some();
        if !is_function || module.is_convergent(callee) {
            return None;
        }
        let at = Anchor::inst(id, function, inst);
        Some(Finding::new(Code::RC0403, at, Kind::Attribute(AttributeBreach::DroppableFromCall)))
    });
    droppable.collect()
}

/// RC0402 and RC0404: functions that need not be convergent. Linear in the functions and the calls among them.
pub(crate) fn droppable(module: &Module<'_>, summaries: &[Summary]) -> Vec<Finding> {
    let convergent = |id: FunctionId| module.functions[id].convergent;
    if is_cpu(&module.target_triple()) {
        let functions = summaries.iter().map(|summary| summary.id).filter(|&id| convergent(id));
        return functions.map(|id| on_function(module, id, Code::RC0404, AttributeBreach::OnCpu)).collect();
    }
    // The functions outside the greatest set are those from which one that needs the attribute is
    // reachable over calls: declarations, definitions that the linker may replace, and what needs it itself.
    let by_id: FxHashMap<FunctionId, &Summary> = summaries.iter().map(|summary| (summary.id, summary)).collect();
    let mut callers: FxHashMap<FunctionId, Vec<FunctionId>> = FxHashMap::default();
    let mut keep: FxHashMap<FunctionId, bool> = FxHashMap::default();
    let mut pending = Vec::new();
    for (id, function) in module.functions.iter().filter(|(id, _)| convergent(*id)) {
        let summary = by_id.get(&id);
        let needs = summary.is_none_or(|summary| summary.needs_attribute) || !function.has_exact_definition();
        keep.insert(id, needs);
        if needs {
            pending.push(id);
        }
        for &callee in summary.into_iter().flat_map(|summary| &summary.callees).filter(|&&callee| convergent(callee)) {
            callers.entry(callee).or_default().push(id);
        }
    }
    while let Some(id) = pending.pop() {
        for &caller in callers.get(&id).into_iter().flatten() {
            if keep.insert(caller, true) == Some(false) {
                pending.push(caller);
            }
        }
    }
    let droppable = summaries.iter().map(|summary| summary.id).filter(|id| keep.get(id) == Some(&false));
    droppable.map(|id| on_function(module, id, Code::RC0402, AttributeBreach::Droppable)).collect()
}

fn on_function(module: &Module<'_>, id: FunctionId, code: Code, breach: AttributeBreach) -> Finding {
    Finding::new(code, Anchor::part(id, module.header_line(id)), Kind::Attribute(breach))
}

/// RC0405: convergent functions that are speculatable. Intrinsics have the attributes that LLVM gives them.
pub(crate) fn speculatable(module: &Module<'_>) -> Vec<Finding> {
    let is_both = |id: &FunctionId| {
        let function = &module.functions[*id];
        function.convergent
            && module.attribute(function.suffix, b"speculatable").is_some()
            && !module.symbol_name(function.symbol).starts_with(b"llvm.")
    };
    let functions = module.functions.keys().filter(is_both);
    functions.map(|id| on_function(module, id, Code::RC0405, AttributeBreach::Speculatable)).collect()
}

/// Whether a triple is that of a CPU, where threads never communicate convergently. Only what is known to be one counts.
pub fn is_cpu(triple: &[u8]) -> bool {
    let architecture = triple.split(|&byte| byte == b'-').next().unwrap_or(triple);
    [
        "x86_64",
        "i386",
        "i586",
        "i686",
        "aarch64",
        "arm",
        "thumb",
        "riscv",
        "powerpc",
        "ppc",
        "s390x",
        "mips",
        "wasm",
        "loongarch",
        "sparc",
    ]
    .iter()
    .any(|known| architecture.starts_with(known.as_bytes()))
}
