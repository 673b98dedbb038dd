//! Parameters that front ends without optimisation keep in memory.
//!
//! A *slot* is an `alloca` of the entry block to which nothing is stored but a parameter, once, there, and whose address goes nowhere but into that store and plain loads behind it. A
//! load of it is the parameter, so a copy of the function needs neither.

use reconverge_ir::Function;
use reconverge_ir::function::{Definition, Extra, Inst, InstData, Value};
use reconverge_ir::opcode::{Flags, Opcode};
use reconverge_ir::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};

/// The slots of a function.
#[derive(Debug, Default)]
pub(super) struct Slots {
    /// What a copy leaves out: slots, the stores to them and the loads.
    pub(super) left_out: FxHashSet<Inst>,
    /// The parameter that a load gives.
    pub(super) loaded: FxHashMap<Value, Value>,
}

/// What is known of a slot.
struct Slot {
    alloca: Inst,
    stored: Option<(Inst, Value, Type)>,
    loads: Vec<(Inst, Value)>,
}

impl Slots {
    /// O(instructions + operands).
    pub(super) fn of(function: &Function) -> Slots {
        let mut slots: FxHashMap<Value, Slot> = FxHashMap::default();
        let Some(entry) = function.blocks.keys().next() else { return Slots::default() };
        for (inst, data) in &function.instructions {
            if let Some(result) = data.result.expand().filter(|_| data.opcode == Opcode::Alloca && data.block == entry)
            {
                slots.insert(result, Slot { alloca: inst, stored: None, loads: Vec::new() });
                continue;
            }
            for (index, &operand) in function.operands(inst).iter().enumerate() {
                let Some(slot) = slots.get_mut(&operand) else { continue };
                let in_entry = data.block == entry;
                let is_slot = match (plain_access(function, data), slot.stored) {
                    (Some((Opcode::Store, ty)), None) if index == 1 && in_entry && slot.loads.is_empty() => {
                        let value = function.operands(inst)[0];
                        slot.stored = Some((inst, value, ty));
                        matches!(function.values[value].definition, Definition::Parameter(_))
                    }
                    (Some((Opcode::Load, ty)), Some((_, _, stored))) if ty == stored => {
                        slot.loads.extend(data.result.expand().map(|result| (inst, result)));
                        true
                    }
                    _ => false,
                };
                if !is_slot {
                    slots.remove(&operand);
                }
            }
        }
        let mut found = Slots::default();
        for Slot { alloca, stored, loads } in slots.into_values() {
            let Some((store, parameter, _)) = stored else { continue };
            found.left_out.extend([alloca, store].into_iter().chain(loads.iter().map(|&(load, _)| load)));
            found.loaded.extend(loads.into_iter().map(|(_, result)| (result, parameter)));
        }
        found
    }
}

/// A load or store that is neither volatile nor atomic, with the type of what it moves.
fn plain_access(function: &Function, data: &InstData) -> Option<(Opcode, Type)> {
    let Extra::Memory(memory) = data.extra else { return None };
    let is_plain = !data.flags.contains(Flags::VOLATILE) && !data.flags.contains(Flags::ATOMIC);
    let is_access = matches!(data.opcode, Opcode::Load | Opcode::Store);
    (is_plain && is_access).then_some((data.opcode, function.memory[memory].ty))
}
