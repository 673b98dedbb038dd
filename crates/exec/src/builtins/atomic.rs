//! Atomic functions (OpenCL C 6.15.12), those of OpenCL 1.x among them, fences, and copies by a workgroup (6.15.11).
//!
//! Functions of OpenCL 1.x are relaxed; those of OpenCL 2.0 without `_explicit` sequentially consistent; those with it name an order and
//! perhaps a scope, which else is the device.

use super::call::{Call, Operand};
use super::demangle::Number;
use super::memory::{
    AtomicBuiltin, AtomicOperand, AtomicOperation, GroupCopy, MemoryBuiltin, MemoryOrder, MemoryScope, Modification,
};

/// The address space of local memory, on each target that has this function.
const LOCAL: u32 = 3;

/// What a call does to memory.
pub(super) fn recognise(call: &Call) -> Option<MemoryBuiltin> {
    let arguments = call.operands.len();
    match &*call.name {
        "mem_fence" | "read_mem_fence" | "write_mem_fence" if arguments == 1 => {
            let order = MemoryOrder::SequentiallyConsistent;
            return Some(MemoryBuiltin::Fence { order, scope: MemoryScope::Workgroup });
        }
        "atomic_work_item_fence" if arguments == 3 => {
            let order = MemoryOrder::Argument(1);
            return Some(MemoryBuiltin::Fence { order, scope: MemoryScope::Argument(2) });
        }
        "wait_group_events" if arguments == 2 => return Some(MemoryBuiltin::WaitEvents { count: 0, events: 1 }),
        "async_work_group_copy" | "async_work_group_strided_copy" => return group_copy(call),
        _ => {}
    }
    let Operand::Pointer { pointee: Some((number, 1)), .. } = *call.operands.first()? else { return None };
    let atomic = old(call, number).or_else(|| new(call, number))?;
    Some(MemoryBuiltin::Atomic(atomic))
}

/// OpenCL 1.x: `atomic_…` for 32 bits, `atom_…` also for 64.
fn old(call: &Call, number: Number) -> Option<AtomicBuiltin> {
    let name = call.name.strip_prefix("atomic_").or(call.name.strip_prefix("atom_"))?;
    let argument = AtomicOperand::Argument(1);
    let (operation, arguments) = match name {
        "inc" => (AtomicOperation::Modify(Modification::Add, AtomicOperand::One), 1),
        "dec" => (AtomicOperation::Modify(Modification::Subtract, AtomicOperand::One), 1),
        "cmpxchg" => (AtomicOperation::CompareExchange { expected: 1, desired: 2 }, 3),
        "xchg" => (AtomicOperation::Modify(Modification::Exchange, argument), 2),
        _ => (AtomicOperation::Modify(modification(name, number)?, argument), 2),
    };
    let values = (1..arguments).all(|operand| same_bits(call, operand, number));
    let fits = call.operands.len() == arguments && values && call.returns(number.bits(), 1);
    fits.then_some(AtomicBuiltin {
        pointer: 0,
        element: number.scalar(),
        operation,
        order: MemoryOrder::Relaxed,
        scope: MemoryScope::Device,
    })
}

/// OpenCL 2.0.
fn new(call: &Call, number: Number) -> Option<AtomicBuiltin> {
    let name = call.name.strip_prefix("atomic_")?;
    let (name, explicit) = match name.strip_suffix("_explicit") {
        Some(name) => (name, true),
        None => (name, false),
    };
    let argument = AtomicOperand::Argument(1);
    // How many arguments are no memory orders and scopes, and which of them are values.
    let (operation, arguments, values) = match name {
        "load" => (AtomicOperation::Load, 1, 1..1),
        "store" => (AtomicOperation::Store(1), 2, 1..2),
        "init" if !explicit => (AtomicOperation::Initialise(1), 2, 1..2),
        "exchange" => (AtomicOperation::Modify(Modification::Exchange, argument), 2, 1..2),
        "compare_exchange_strong" | "compare_exchange_weak" => {
            (AtomicOperation::CompareExchangeThrough { expected: 1, desired: 2 }, 3, 2..3)
        }
        "flag_test_and_set" => (AtomicOperation::TestAndSet, 1, 1..1),
        "flag_clear" => (AtomicOperation::Clear, 1, 1..1),
        _ => (AtomicOperation::Modify(modification(name.strip_prefix("fetch_")?, number)?, argument), 2, 1..2),
    };
    let orders = match operation {
        _ if !explicit => 0,
        AtomicOperation::CompareExchangeThrough { .. } => 2,
        _ => 1,
    };
    let scope = arguments + orders;
    // A pointer-sized difference is added to a pointer-sized integer: only the number of bits counts.
    let values = values.into_iter().all(|operand| same_bits(call, operand, number));
    let result = match operation {
        AtomicOperation::Load | AtomicOperation::Modify(..) => call.returns(number.bits(), 1),
        AtomicOperation::Store(_) | AtomicOperation::Initialise(_) | AtomicOperation::Clear => call.result.is_empty(),
        _ => call.result.len() == 1,
    };
    let scoped = explicit && call.operands.len() == scope + 1;
    if !values || !result || !(scoped || call.operands.len() == scope) {
        return None;
    }
    Some(AtomicBuiltin {
        pointer: 0,
        element: number.scalar(),
        operation,
        order: if explicit { MemoryOrder::Argument(arguments) } else { MemoryOrder::SequentiallyConsistent },
        scope: if scoped { MemoryScope::Argument(scope) } else { MemoryScope::Device },
    })
}

fn same_bits(call: &Call, operand: usize, number: Number) -> bool {
    matches!(call.value(operand), Some((value, 1)) if value.bits() == number.bits())
}

/// The operation of `atomic_NAME` and `atomic_fetch_NAME` on this type.
fn modification(name: &str, number: Number) -> Option<Modification> {
    let float = matches!(number, Number::Half | Number::Float | Number::Double);
    let signed = matches!(number, Number::Signed(_));
    Some(match name {
        "add" if float => Modification::FloatAdd,
        "sub" if float => Modification::FloatSubtract,
        "max" if float => Modification::FloatMaximum,
        "min" if float => Modification::FloatMinimum,
        "and" | "or" | "xor" if float => return None,
        "add" => Modification::Add,
        "sub" => Modification::Subtract,
        "max" if signed => Modification::SignedMaximum,
        "max" => Modification::UnsignedMaximum,
        "min" if signed => Modification::SignedMinimum,
        "min" => Modification::UnsignedMinimum,
        "and" => Modification::And,
        "or" => Modification::Or,
        "xor" => Modification::Xor,
        _ => return None,
    })
}

fn group_copy(call: &Call) -> Option<MemoryBuiltin> {
    let strided = call.name == "async_work_group_strided_copy";
    let [Operand::Pointer { pointee: Some((number, count)), space }, Operand::Pointer { pointee: source, .. }, ..] =
        call.operands[..]
    else {
        return None;
    };
    let to_local = space == LOCAL;
    let stride = strided.then_some(3);
    let fits = call.operands.len() == if strided { 5 } else { 4 } && source == Some((number, count));
    fits.then(|| {
        MemoryBuiltin::Copy(GroupCopy {
            destination: 0,
            source: 1,
            count: 2,
            event: call.operands.len() - 1,
            element_bytes: u64::from(number.bits() / 8) * count.next_power_of_two() as u64,
            source_stride: stride.filter(|_| to_local),
            destination_stride: stride.filter(|_| !to_local),
        })
    })
}
