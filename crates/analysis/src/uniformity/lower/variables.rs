//! What private variables hold that are not promoted: structures and arrays.
//!
//! **Rule.** A load from a variable of the entry block whose address does not escape is uniform when all addresses and values of the stores into it are, and the
//! load's own address, provided that each of the stores dominates the load, and that nothing else writes to the variable. What fills memory or copies to it is a store;
//! the value of a copy is what a load from there would be.
//!
//! For then converged threads have executed the same stores, each at least once, and the last executions of them in the same order: if one store
//! dominates another, there is one of the second after each last one of the first on every path to the load. What a store has written is so like a value that
//! is defined by it and used by the load, and the analysis treats it as that.

use cranelift_entity::EntityRef;
use reconverge_graph::{Dominators, Node};
use reconverge_ir::Function;
use reconverge_ir::assembly::integer;
use reconverge_ir::function::{Block, Definition, Inst, Value};
use reconverge_ir::opcode::{Flags, Opcode};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::instructions::{Context, address_space, ir_value};
use super::phis::Ssa;
use super::private::{Users, Uses};
use super::promote::Promotion;

/// Addresses are followed through so many instructions.
const MOST_STEPS: usize = 16;

/// Variables with more stores are not looked at.
const MOST_STORES: usize = 32;

/// The private variables of one function.
#[derive(Debug, Default)]
pub(super) struct Variables {
    users: Option<Users>,
    dominators: Option<Dominators>,
    uses: FxHashMap<Value, Uses>,
}

impl Variables {
    pub(super) fn clear(&mut self) {
        (self.users, self.dominators) = (None, None);
        self.uses.clear();
    }

    /// What is done with the addresses of a variable.
    pub(super) fn uses(&mut self, context: &Context<'_>, variable: Value) -> &Uses {
        let function = context.input.function;
        let users = self.users.get_or_insert_with(|| Users::new(context.input.module, function));
        self.uses.entry(variable).or_insert_with(|| {
            users.uses_of(context.input.module, function, context.input.facts.parameters(), [variable])
        })
    }

    pub(super) fn dominators(&mut self, function: &Function) -> &Dominators {
        self.dominators.get_or_insert_with(|| Dominators::compute(&function.control_flow_graph()))
    }

    /// What a load from an address in a variable depends on, if the rule holds for it; or what a call reads that is passed the address. `reader` is one of the two.
    pub(super) fn read_by(
        &mut self,
        context: &Context<'_>,
        promotion: &Promotion,
        reader: Inst,
        address: Value,
    ) -> Option<Held> {
        let function = context.input.function;
        let variable = object_of(function, promotion, address)?;
        let is_alloca = matches!(function.values[variable].definition, Definition::Instruction(_));
        let uses = self.uses(context, variable);
        let is_written_otherwise = uses.is_written_otherwise || !uses.written_by.is_empty();
        if !is_alloca || uses.escapes || is_written_otherwise || uses.stores.len() > MOST_STORES {
            return None;
        }
        let stores = uses.stores.clone();
        let dominators = self.dominators(function);
        let block_of = |inst: Inst| function.instructions[inst].block;
        let comes_before = |&store: &Inst| {
            let (from, to) = (block_of(store), block_of(reader));
            let dominates = dominators.dominates(Node::new(from.index()), Node::new(to.index()));
            if from == to { store < reader } else { dominates }
        };
        if !stores.iter().all(comes_before) {
            return None;
        }
        let mut held =
            Held { depends_on: SmallVec::from_slice(&[promotion.resolve(address)]), copies: SmallVec::new() };
        for store in stores {
            let operands = function.operands(store);
            let data = &function.instructions[store];
            let written = match (data.opcode, operands) {
                (Opcode::Store, _) if !data.flags.contains(Flags::VOLATILE) => &operands[..2],
                (Opcode::Call, &[_, from, _, is_volatile, _]) if integer(function, is_volatile) == Some(0) => {
                    if address_space(context.input.module, function.values[from].ty).is_some() {
                        held.copies.push((store, from));
                    }
                    &operands[..3]
                }
                _ => return None,
            };
            held.depends_on.extend(written.iter().map(|&operand| promotion.resolve(operand)));
        }
        Some(held)
    }
}

/// What a variable holds at some place.
pub(super) struct Held {
    /// All that it depends on, but for what was copied.
    pub(super) depends_on: SmallVec<[Ssa; 4]>,
    /// The calls that copy, and the addresses that they copy from.
    pub(super) copies: SmallVec<[(Inst, Value); 1]>,
}

/// The `alloca` of the entry block that an address is in, or the parameter that it is computed from.
pub(super) fn object_of(function: &Function, promotion: &Promotion, address: Value) -> Option<Value> {
    let mut address = promotion.resolve(address);
    for _ in 0..MOST_STEPS {
        let value = ir_value(function, address)?;
        let inst = match function.values[value].definition {
            Definition::Instruction(inst) => inst,
            Definition::Parameter(_) => return Some(value),
            _ => return None,
        };
        let data = &function.instructions[inst];
        match data.opcode {
            Opcode::Alloca => return (data.block == Block::new(0)).then_some(value),
            Opcode::GetElementPtr | Opcode::BitCast | Opcode::AddrSpaceCast | Opcode::Freeze => {
                address = promotion.resolve(*function.operands(inst).first()?);
            }
            _ => return None,
        }
    }
    None
}
