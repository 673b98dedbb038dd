//! Where generic pointers come from (refinement 7).
//!
//! A generic pointer may point to memory that each thread has its own copy of, so that equal addresses hold different
//! values. It does not if everything that it is computed from is known to point elsewhere: to a variable of the module, to memory
//! that a kernel was given, to what a pointer into another address space points to, or if it was read from memory that only the host
//! wrote. What is a function of its arguments and of nothing else points to where these do. The answer for a pointer is the widest set of threads that has one copy of the memory, the smallest over
//! all that it may be computed from.
//!
//! Phis are looked through with a walk that takes what it is looking at for the best; the answer for all of a walk that
//! met nothing bad is the answer for its start. A pointer that was read from ordinary memory may be one that this thread stored
//! there, to its own memory, unless no address of such memory escapes anywhere in the module (`private`), or none is in a place that it may have been read from (`by_value`). What a
//! function returns, or what is a part of a struct, points to no such memory if nothing does that it may be.

use reconverge_ir::constant::{ConstantData, ExpressionKind};
use reconverge_ir::function::{Definition, Inst, Value};
use reconverge_ir::opcode::Opcode;
use reconverge_ir::types::TypeData;
use rustc_hash::FxHashMap;

use super::Input;
use super::instructions::{Context, address_space, call_of, ir_value};
use super::module_facts::Role;
use super::phis::Ssa;
use super::promote::{Promotion, UNDEFINED};
use super::variables::Variables;
use crate::target::{MemoryKind, Scope};

/// How many values a walk looks at before it gives up.
const MOST_STEPS: usize = 64;

/// What is known of the pointers of one function.
#[derive(Debug, Default)]
pub(super) struct Provenance {
    /// What walks have found for their start.
    known: FxHashMap<Ssa, Option<Scope>>,
    seen: Vec<Ssa>,
}

impl Provenance {
    pub(super) fn clear(&mut self) {
        self.known.clear();
    }

    /// The widest set of threads that has one copy of the memory that a pointer points to; nothing if each
    /// thread may have its own.
    pub(super) fn of(
        &mut self,
        context: &Context<'_>,
        promotion: &Promotion,
        variables: &mut Variables,
        pointer: Value,
    ) -> Option<Scope> {
        let start = promotion.resolve(pointer);
        if let Some(&known) = self.known.get(&start) {
            return known;
        }
        self.seen.clear();
        self.seen.push(start);
        let mut scope = Some(Scope::Grid);
        let mut next = 0;
        while scope.is_some()
            && let Some(&value) = self.seen.get(next)
        {
            next += 1;
            let seen = &mut self.seen;
            let found = step(context, promotion, variables, value, &mut |operand| {
                if !seen.contains(&operand) {
                    seen.push(operand);
                }
            });
            scope = scope.min(found);
            if seen.len() > MOST_STEPS {
                scope = None;
            }
        }
        self.known.insert(start, scope);
        scope
    }
}

/// What is known of a value on its own: the best if it is computed from others, which are given to `visit`.
fn step(
    context: &Context<'_>,
    promotion: &Promotion,
    variables: &mut Variables,
    value: Ssa,
    visit: &mut dyn FnMut(Ssa),
) -> Option<Scope> {
    let function = context.input.function;
    let Some(ir) = ir_value(function, value) else {
        if value != UNDEFINED {
            let phi = value as usize - function.values.len();
            promotion.phis.operands_of(phi).iter().for_each(|operand| visit(operand.value));
        }
        return Some(Scope::Grid);
    };
    let data = &function.values[ir];
    if let Some(space) = address_space(context.input.module, data.ty) {
        let facts = context.input.facts.target.load_from(space);
        match facts.kind {
            MemoryKind::Flat | MemoryKind::Unknown => {}
            MemoryKind::Private => return None,
            _ => return facts.uniform,
        }
    }
    match data.definition {
        Definition::Parameter(index) => parameter(context, variables, ir, index as usize),
        Definition::Constant(constant) => constant_pointer(context, constant, visit),
        Definition::Pending(_) => None,
        Definition::Instruction(inst) => instruction(context, promotion, variables, inst, visit),
    }
}

fn parameter(context: &Context<'_>, variables: &mut Variables, value: Value, index: usize) -> Option<Scope> {
    let Context { input: Input { facts, id, summaries, .. }, options, .. } = *context;
    if facts.is_kernel(id) {
        return (kernel_argument(context, variables, value, index) != KernelArgument::OwnCopy).then_some(Scope::Grid);
    }
    if options.shared_pointees {
        return Some(options.scope);
    }
    let summary = options.refinements.interprocedural.then(|| summaries.of(id)).flatten()?;
    summary.parameter_points_to(index)
}

/// What a pointer that is a parameter of a kernel points to.
#[derive(PartialEq, Eq)]
enum KernelArgument {
    /// Memory that the host knows.
    Memory,
    /// The argument itself, which nobody writes.
    ReadOnly,
    /// A copy of the argument that the thread may write.
    OwnCopy,
}

fn kernel_argument(context: &Context<'_>, variables: &mut Variables, value: Value, index: usize) -> KernelArgument {
    let parameters = &context.input.module.functions[context.input.id].parameters;
    let attributes = parameters.get(index).map(|parameter| parameter.attributes).unwrap_or_default();
    let has = |word: &[u8]| context.input.module.attribute(attributes, word).is_some();
    match (has(b"byval"), has(b"readonly") || has(b"readnone")) {
        (false, _) => KernelArgument::Memory,
        (true, true) => KernelArgument::ReadOnly,
        (true, false) if variables.uses(context, value).are_reads() => KernelArgument::ReadOnly,
        (true, false) if context.input.facts.is_unwritten(context.input.module, context.input.id, index as u32) => {
            KernelArgument::ReadOnly
        }
        (true, false) => KernelArgument::OwnCopy,
    }
}

/// Whether an address is in the arguments of a kernel, and nobody writes there.
fn in_arguments(context: &Context<'_>, promotion: &Promotion, variables: &mut Variables, address: Value) -> bool {
    let function = context.input.function;
    let mut value = promotion.resolve(address);
    for _ in 0..MOST_STEPS {
        let Some(ir) = ir_value(function, value) else { return false };
        let inst = match function.values[ir].definition {
            Definition::Parameter(index) => {
                return context.input.facts.is_kernel(context.input.id)
                    && kernel_argument(context, variables, ir, index as usize) == KernelArgument::ReadOnly;
            }
            Definition::Instruction(inst) => inst,
            _ => return false,
        };
        let based_on_first = matches!(
            function.instructions[inst].opcode,
            Opcode::GetElementPtr | Opcode::BitCast | Opcode::AddrSpaceCast | Opcode::Freeze
        );
        match function.operands(inst).first() {
            Some(&operand) if based_on_first => value = promotion.resolve(operand),
            _ => return false,
        }
    }
    false
}

/// Whether a value may be an address or have one in it: numbers that the text has written are none, nor are those with fewer bits than an address.
fn may_have_address(context: &Context<'_>, value: Value) -> bool {
    let Input { module, function, .. } = context.input;
    let data = &function.values[value];
    match module.types[data.ty] {
        TypeData::Integer(bits) => {
            bits >= 64 && !matches!(data.definition, Definition::Constant(ConstantData::Integer(_)))
        }
        TypeData::Half | TypeData::BFloat | TypeData::Float | TypeData::Double => false,
        _ => true,
    }
}

fn constant_pointer(context: &Context<'_>, constant: ConstantData, visit: &mut dyn FnMut(Ssa)) -> Option<Scope> {
    match constant {
        ConstantData::Global(_) => (!context.input.module.has_thread_locals).then_some(Scope::Grid),
        // Not an address that can be loaded from.
        ConstantData::Null | ConstantData::Zero | ConstantData::Undef | ConstantData::Poison => Some(Scope::Grid),
        ConstantData::Expression(expression) => {
            let data = &context.input.function.constants.expressions[expression];
            match data.kind {
                ExpressionKind::GetElementPtr(..)
                | ExpressionKind::Operation(Opcode::AddrSpaceCast | Opcode::BitCast, _) => {
                    visit(context.input.function.list(data.operands).first()?.as_u32());
                    Some(Scope::Grid)
                }
                _ => None,
            }
        }
        _ => None,
    }
}

fn instruction(
    context: &Context<'_>,
    promotion: &Promotion,
    variables: &mut Variables,
    inst: Inst,
    visit: &mut dyn FnMut(Ssa),
) -> Option<Scope> {
    let function = context.input.function;
    let data = &function.instructions[inst];
    let operands = function.operands(inst);
    let mut visit = |operand: &Value| visit(promotion.resolve(*operand));
    match data.opcode {
        Opcode::GetElementPtr | Opcode::BitCast | Opcode::AddrSpaceCast | Opcode::Freeze => visit(operands.first()?),
        Opcode::Phi => operands.iter().for_each(visit),
        Opcode::Select => operands[1..].iter().for_each(visit),
        // Only the host has written this memory, and it knows no address of a thread's own memory.
        Opcode::Load => {
            let address = *operands.first()?;
            let kind = context.memory_kind(function.values[address].ty);
            let by_host = kind == MemoryKind::Constant
                || context.is_invariant(data)
                || in_arguments(context, promotion, variables, address);
            if by_host {
                return Some(Scope::Grid);
            }
            // It may be an address of a workgroup's memory.
            let Input { module, facts, id, .. } = context.input;
            return facts.points_outside(module, id, data.result.expand()?).then_some(Scope::Workgroup);
        }
        Opcode::Call => {
            let call = call_of(function, inst)?;
            match context.input.facts.callee(call.callee.expand()?).role {
                Role::SamePointer => visit(operands.first()?),
                Role::Computed => {
                    let arguments = &operands[..call.argument_count as usize];
                    arguments.iter().filter(|&&argument| may_have_address(context, argument)).for_each(visit);
                }
                _ => return given(context, data.result.expand()?),
            }
        }
        Opcode::ExtractValue => return given(context, data.result.expand()?),
        _ => return None,
    }
    Some(Scope::Grid)
}

/// What is known of a pointer that a function returns or that is a part of a struct.
fn given(context: &Context<'_>, pointer: Value) -> Option<Scope> {
    let Input { module, facts, id, .. } = context.input;
    // It may be an address of a workgroup's memory.
    facts.is_given_outside(module, id, pointer).then_some(Scope::Workgroup)
}
