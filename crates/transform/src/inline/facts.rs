//! What has to be known of a function before calls are inlined in it, or it into others.

use cranelift_entity::EntityRef;
use reconverge_analysis::flow::{ConvergentOperation, OperationKind};
use reconverge_analysis::lower::{Lowered, lower};
use reconverge_graph::{CycleForest, Digraph, Node, SuccessorOrder};
use reconverge_ir::attributes::Attribute;
use reconverge_ir::constant::ConstantData;
use reconverge_ir::function::{Block, CallData, Definition, Extra, Inst, Value};
use reconverge_ir::opcode::{Flags, Opcode};
use reconverge_ir::{Function, FunctionId, Module, Span};
use rustc_hash::FxHashSet;

/// Whose calls may be inlined, as far as the function alone says, and what is in it.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// Instructions.
    pub(super) size: usize,
    /// Why no call of it is inlined.
    pub(super) obstacle: Option<String>,
    /// Whether it is `noinline`.
    pub(super) noinline: bool,
    /// Attributes that say what instructions mean, which caller and callee have to have in common.
    pub(super) environment: String,
    /// Its calls of functions with a body, in the order of the text.
    pub(super) calls: Vec<CallFacts>,
    /// Whether it has uncontrolled convergent operations besides those calls.
    pub(super) uncontrolled: bool,
    /// Whether it makes or uses tokens, other than at those calls.
    pub(super) tokens: bool,
    /// Whether one of the former is where no return can be reached from.
    pub(super) dead_end: bool,
}

/// A call of a function with a body.
#[derive(Debug)]
pub(super) struct CallFacts {
    pub(super) callee: FunctionId,
    pub(super) span: Span,
    /// Why it is not inlined.
    pub(super) obstacle: Option<String>,
    /// Whether the call itself says `noinline`.
    pub(super) noinline: bool,
    /// Whether it is in a cycle.
    pub(super) in_cycle: bool,
    /// Whether no return can be reached from it.
    pub(super) dead_end: bool,
    /// Whether it is a convergent operation.
    pub(super) convergent: bool,
    /// Whether it has a token.
    pub(super) controlled: bool,
}

/// The function with a body that an instruction calls directly.
pub(super) fn local_callee(module: &Module<'_>, function: &Function, inst: Inst) -> Option<FunctionId> {
    let Extra::Call(call) = function.instructions[inst].extra else { return None };
    let id = module.function_of(function.calls[call].callee.expand()?)?;
    module.functions[id].body.map(|_| id)
}

/// Reads the facts of a function off it. O(instructions + edges).
pub(super) fn facts(module: &Module<'_>, addressed: &FxHashSet<Vec<u8>>, id: FunctionId, function: &Function) -> Facts {
    let Lowered { flow, instructions: operations } = lower(module, id, function);
    let returns = reach_a_return(function, &flow.graph);
    let leads_nowhere = |block: Block| !returns[block.index()];
    let local = |inst: Inst| local_callee(module, function, inst);
    let data = &module.functions[id];
    let has = |name: &[u8]| module.attribute(data.suffix, name).is_some();
    let mut facts = Facts {
        size: function.instructions.len(),
        noinline: has(b"noinline"),
        environment: environment(module, data.suffix),
        ..Facts::default()
    };
    for (operation, &inst) in flow.operations.iter().zip(&operations) {
        if operation.is_controlled() || operation.kind != OperationKind::Call {
            facts.tokens |= local(inst).is_none();
        } else if local(inst).is_none() {
            facts.uncontrolled = true;
            facts.dead_end |= leads_nowhere(function.instructions[inst].block);
        }
    }
    let mut cycles = None;
    for (inst, data) in &function.instructions {
        let (Some(callee), Extra::Call(call)) = (local(inst), data.extra) else { continue };
        let forest = cycles.get_or_insert_with(|| CycleForest::compute(&flow.graph, SuccessorOrder::Forward));
        let operation = operations.binary_search(&inst).ok();
        let before_token = || {
            let behind = &operations[operations.partition_point(|&other| other <= inst)..];
            let same_block = behind.iter().take_while(|&&other| function.instructions[other].block == data.block);
            let mut kinds = same_block.zip(&flow.operations[operations.len() - behind.len()..]);
            let first = |kind| matches!(kind, OperationKind::Entry | OperationKind::Loop);
            kinds.any(|(_, operation)| first(operation.kind)).then(|| {
                "the call stands before an `entry` or `loop` of convergence, which comes first in its block".to_owned()
            })
        };
        let call_data = &function.calls[call];
        facts.calls.push(CallFacts {
            callee,
            span: data.span,
            obstacle: obstacle_of_call(module, function, inst, call_data, callee).or_else(before_token),
            noinline: module.attribute(call_data.attributes, b"noinline").is_some(),
            in_cycle: forest.innermost(Node::new(data.block.index())).is_some(),
            dead_end: leads_nowhere(data.block),
            convergent: operation.is_some(),
            controlled: operation.is_some_and(|at| flow.operations[at].is_controlled()),
        });
    }
    facts.obstacle = obstacle_of_function(module, addressed, id)
        .or_else(|| function.instructions.keys().find_map(|inst| obstacle_of(module, function, inst)))
        .or_else(|| obstacle_of_tokens(&flow.operations, flow.is_convergent))
        .or_else(|| (!ever_returns(function, &flow.graph)).then(|| "it never returns, and what follows the call is not to be cut off: the cycles of the caller would be others".to_owned()));
    facts
}

/// From which blocks a `ret` can be reached. O(blocks + edges).
fn reach_a_return(function: &Function, graph: &Digraph) -> Vec<bool> {
    let is_return = |block: Block| function.instructions[function.terminator(block)].opcode == Opcode::Ret;
    let mut reached: Vec<bool> = function.blocks.keys().map(is_return).collect();
    let mut stack: Vec<Node> = graph.nodes().filter(|node| reached[node.index()]).collect();
    while let Some(node) = stack.pop() {
        for &before in graph.predecessors(node) {
            if !std::mem::replace(&mut reached[before.index()], true) {
                stack.push(before);
            }
        }
    }
    reached
}

fn ever_returns(function: &Function, graph: &Digraph) -> bool {
    reach_a_return(function, graph)[graph.entry().index()]
}

/// The attributes of functions that say what their instructions mean, or on which processor they run.
fn environment(module: &Module<'_>, suffix: Span) -> String {
    const NAMES: [&[u8]; 14] = [
        b"strictfp",
        b"null_pointer_is_valid",
        b"denormal-fp-math",
        b"denormal-fp-math-f32",
        b"denormal_fpenv",
        b"no-nans-fp-math",
        b"no-infs-fp-math",
        b"no-signed-zeros-fp-math",
        b"unsafe-fp-math",
        b"approx-func-fp-math",
        b"target-cpu",
        b"target-features",
        b"use-soft-float",
        b"amdgpu-ieee",
    ];
    let mut found: Vec<String> = Vec::new();
    for attribute in module.all_attributes(suffix) {
        let (name, value) = match attribute {
            Attribute::Word { name, argument } => (name, argument.of(module.text)),
            Attribute::Text { name, value } => (name, value),
            _ => continue,
        };
        if NAMES.contains(&name) && value != b"false" {
            found.push(format!("{}={}", String::from_utf8_lossy(name), String::from_utf8_lossy(value)));
        }
    }
    found.sort();
    found.dedup();
    found.join(" ")
}

fn obstacle_of_function(module: &Module<'_>, addressed: &FxHashSet<Vec<u8>>, id: FunctionId) -> Option<String> {
    let data = &module.functions[id];
    if data.linkage.is_interposable() {
        return Some("the linker may put another function in its place".to_owned());
    }
    if data.variadic {
        return Some("it takes a variable number of arguments".to_owned());
    }
    if addressed.contains(module.symbol_name(data.symbol).as_ref()) {
        return Some("the address of one of its blocks is taken, which a copy would not have".to_owned());
    }
    for name in ["naked", "returns_twice", "presplitcoroutine", "gc"] {
        if module.attribute(data.suffix, name.as_bytes()).is_some() {
            return Some(format!("it is `{name}`"));
        }
    }
    let special = |attributes: Span| {
        ["byval", "inalloca", "preallocated", "swifterror"]
            .into_iter()
            .find(|name| module.attribute(attributes, name.as_bytes()).is_some())
    };
    let special = data.parameters.iter().find_map(|parameter| special(parameter.attributes))?;
    Some(format!("it has a parameter that is `{special}`"))
}

/// What an instruction of the callee has against it.
fn obstacle_of(module: &Module<'_>, function: &Function, inst: Inst) -> Option<String> {
    let data = &function.instructions[inst];
    match data.opcode {
        Opcode::Invoke
        | Opcode::Resume
        | Opcode::LandingPad
        | Opcode::CatchSwitch
        | Opcode::CatchPad
        | Opcode::CleanupPad
        | Opcode::CatchRet
        | Opcode::CleanupRet => return Some("it handles exceptions".to_owned()),
        Opcode::IndirectBr | Opcode::CallBr => return Some(format!("it has a `{}`", data.opcode.keyword())),
        Opcode::VAArg => return Some("it takes a variable number of arguments".to_owned()),
        Opcode::Alloca if !is_static_alloca(function, inst) => {
            return Some("it allocates stack memory anew each time that it reaches an `alloca`".to_owned());
        }
        _ => {}
    }
    let Extra::Call(call) = data.extra else { return None };
    if data.flags.contains(Flags::MUSTTAIL) {
        return Some("it has a `musttail` call".to_owned());
    }
    let name = module.symbol_name(function.calls[call].callee.expand()?);
    const OF_FRAMES: [&[u8]; 11] = [
        b"llvm.localescape",
        b"llvm.localrecover",
        b"llvm.frameaddress",
        b"llvm.returnaddress",
        b"llvm.addressofreturnaddress",
        b"llvm.sponentry",
        b"llvm.va_start",
        b"llvm.va_end",
        b"llvm.coro.",
        b"llvm.gcroot",
        b"llvm.icall.branch.funnel",
    ];
    if OF_FRAMES.iter().any(|prefix| name.starts_with(prefix)) {
        return Some(format!("@{} is about the function that it is in", String::from_utf8_lossy(&name)));
    }
    let is_local = |value: &Value| match function.values[*value].definition {
        Definition::Constant(ConstantData::Metadata(span)) => span.of(module.text).contains(&b'%'),
        _ => false,
    };
    let names_a_local = !is_about_debugging(&name) && function.operands(inst).iter().any(is_local);
    names_a_local
        .then(|| format!("@{} has an operand of metadata that names a local value", String::from_utf8_lossy(&name)))
}

/// Whether a call of this function is left out of copies.
pub(super) fn is_about_debugging(name: &[u8]) -> bool {
    name.starts_with(b"llvm.dbg.") || name.starts_with(b"llvm.experimental.noalias.scope.decl")
}

/// An `alloca` that is executed once in each activation, with a constant size.
pub(super) fn is_static_alloca(function: &Function, inst: Inst) -> bool {
    let data = &function.instructions[inst];
    let constant = |value: &Value| matches!(function.values[*value].definition, Definition::Constant(_));
    let is_plain = !data.flags.contains(Flags::INALLOCA) && !data.flags.contains(Flags::SWIFTERROR);
    data.block.index() == 0 && is_plain && function.operands(inst).iter().all(constant)
}

/// Tokens that break rules already.
fn obstacle_of_tokens(operations: &[ConvergentOperation], is_convergent: bool) -> Option<String> {
    let entries = operations.iter().filter(|operation| operation.kind == OperationKind::Entry).count();
    (entries > usize::from(is_convergent)).then(|| {
        "an `entry` of convergence belongs once in a function that is convergent, and not in others".to_owned()
    })
}

fn obstacle_of_call(
    module: &Module<'_>,
    function: &Function,
    inst: Inst,
    call: &CallData,
    callee: FunctionId,
) -> Option<String> {
    let data = &function.instructions[inst];
    if data.opcode != Opcode::Call {
        return Some(format!(
            "the call is {} `{}`",
            if data.opcode == Opcode::Invoke { "an" } else { "a" },
            data.opcode.keyword()
        ));
    }
    if data.flags.contains(Flags::MUSTTAIL) {
        return Some("the call is `musttail`".to_owned());
    }
    let bundles = call.bundles.of(&function.bundles);
    if let Some(other) = bundles.iter().find(|bundle| !bundle.is_convergence_control) {
        return Some(format!("the call has a bundle {}", String::from_utf8_lossy(other.tag.of(module.text))));
    }
    if bundles.len() > 1 || bundles.iter().any(|bundle| function.list(bundle.operands).len() != 1) {
        return Some("a call has one token".to_owned());
    }
    let definition = &module.functions[callee];
    let operands = function.operands(inst);
    let arguments = operands[..call.argument_count as usize].iter().map(|&argument| function.values[argument].ty);
    if data.ty != definition.result || !arguments.eq(definition.parameters.iter().map(|parameter| parameter.ty)) {
        return Some("the call takes it for a function of another type, which is undefined behaviour".to_owned());
    }
    if module.convention(call.prefix) != module.convention(definition.prefix) {
        return Some(
            "the call has another calling convention than the function, which is undefined behaviour".to_owned(),
        );
    }
    None
}
