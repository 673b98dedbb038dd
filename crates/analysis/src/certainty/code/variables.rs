//! Private variables that are values, piece by piece.
//!
//! **Definition.** An `alloca` is a *variable* when its addresses, all at constant distances from it, go only into loads, stores and markers of its lifetime,
//! and the leaves of what is loaded and stored, at their places, are the same or do not overlap. These are its *pieces*, in the order of memory.

use reconverge_ir::function::{Extra, Inst, Value};
use reconverge_ir::opcode::Opcode;
use reconverge_ir::types::Type;
use reconverge_ir::{Function, Module};
use rustc_hash::FxHashMap;

use crate::leaves::{self, Leaf};
use crate::uniformity::lower::ModuleFacts;

/// The variables of a function.
#[derive(Debug, Default)]
pub(super) struct Variables {
    /// By address: the `alloca`, and how many bytes behind its beginning.
    addresses: FxHashMap<Value, (Value, u64)>,
    pieces: FxHashMap<Value, Vec<Leaf>>,
}

impl Variables {
    /// O(instructions · log).
    pub(super) fn find(module: &Module<'_>, facts: &ModuleFacts<'_>, function: &Function) -> Variables {
        let mut found = Variables::default();
        let allocas = function.instructions.values().filter(|data| data.opcode == Opcode::Alloca);
        found.addresses.extend(allocas.filter_map(|data| Some((data.result.expand()?, (data.result.expand()?, 0)))));
        if found.addresses.is_empty() {
            return found;
        }
        let mut accesses: FxHashMap<Value, Vec<(u64, Type)>> =
            found.addresses.keys().map(|&alloca| (alloca, Vec::new())).collect();
        // What comes before its operand in the text is not found, and is then a use that is not understood.
        for (inst, data) in &function.instructions {
            let distance = match data.opcode {
                Opcode::AddrSpaceCast | Opcode::BitCast => Some(0),
                Opcode::GetElementPtr => facts
                    .layout(module)
                    .filter(|_| found.addresses.contains_key(&function.operands(inst)[0]))
                    .and_then(|layout| leaves::constant_offset(module, layout, function, inst)),
                _ => None,
            };
            if let Some((distance, result)) = distance.zip(data.result.expand())
                && let Some(&(alloca, at)) = found.addresses.get(&function.operands(inst)[0])
                && let Some(at) = at.checked_add(distance)
            {
                found.addresses.insert(result, (alloca, at));
            }
        }
        for (inst, data) in &function.instructions {
            for (index, operand) in function.operands(inst).iter().enumerate() {
                let Some(&(alloca, at)) = found.addresses.get(operand) else { continue };
                match (data.opcode, index, data.extra) {
                    (Opcode::Load, 0, Extra::Memory(memory)) | (Opcode::Store, 1, Extra::Memory(memory)) => {
                        let of_alloca = accesses.get_mut(&alloca);
                        of_alloca.into_iter().for_each(|of| of.push((at, function.memory[memory].ty)));
                    }
                    _ if is_marker(module, function, inst) => {}
                    (_, 0, _) if data.result.expand().is_some_and(|result| found.addresses.contains_key(&result)) => {}
                    _ => {
                        accesses.remove(&alloca);
                    }
                }
            }
        }
        for (alloca, mut of_alloca) in accesses {
            of_alloca.sort_unstable();
            of_alloca.dedup();
            found.pieces.extend(pieces(module, facts, &of_alloca).map(|pieces| (alloca, pieces)));
        }
        found
    }

    /// The pieces of a variable, given its `alloca`.
    pub(super) fn pieces(&self, variable: Value) -> Option<&[Leaf]> {
        self.pieces.get(&variable).map(Vec::as_slice)
    }

    /// The variable that is accessed through an address, and the first piece.
    pub(super) fn accessed(&self, address: Value) -> Option<(Value, usize)> {
        let &(variable, at) = self.addresses.get(&address)?;
        let first = self.pieces(variable)?.binary_search_by_key(&at, |piece| piece.offset).ok()?;
        Some((variable, first))
    }
}

/// The pieces of what is accessed like this; nothing where they overlap, or an access does not consist of neighbours.
fn pieces(module: &Module<'_>, facts: &ModuleFacts<'_>, accesses: &[(u64, Type)]) -> Option<Vec<Leaf>> {
    let layout = facts.layout(module);
    let leaves_of = |ty: Type| {
        let known = layout.and_then(|layout| leaves::of(module, layout, ty));
        known.unwrap_or_else(|| vec![Leaf { ty, offset: 0 }])
    };
    let mut pieces: Vec<Leaf> = Vec::new();
    for &(at, ty) in accesses {
        for leaf in leaves_of(ty) {
            pieces.push(Leaf { offset: at.checked_add(leaf.offset)?, ..leaf });
        }
    }
    pieces.sort_unstable_by_key(|piece| (piece.offset, piece.ty));
    pieces.dedup();
    for pair in pieces.windows(2) {
        let size = layout?.store_size(module, pair[0].ty).ok()?;
        if size == 0 || pair[0].offset.checked_add(size)? > pair[1].offset {
            return None;
        }
    }
    for &(at, ty) in accesses {
        let first = pieces.partition_point(|piece| piece.offset < at);
        let leaves = leaves_of(ty);
        let of_access = pieces.get(first..first + leaves.len()).filter(|_| !leaves.is_empty())?;
        if !of_access.iter().zip(&leaves).all(|(piece, leaf)| piece.offset == at + leaf.offset) {
            return None;
        }
    }
    Some(pieces)
}

/// Whether it is a call that marks where the memory of a variable is in use.
fn is_marker(module: &Module<'_>, function: &Function, inst: Inst) -> bool {
    let Extra::Call(call) = function.instructions[inst].extra else { return false };
    let name = function.calls[call].callee.expand().map(|callee| module.symbol_name(callee));
    name.is_some_and(|name| name.starts_with(b"llvm.lifetime."))
}
