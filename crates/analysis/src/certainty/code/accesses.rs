//! Accesses to memory that threads share, and what orders them.
//!
//! **Definition.** An access is followed where its address may be one of memory that a workgroup shares. What *orders* accesses is each operation of several threads
//! (those of its threads), and, of nobody knows which threads: atomic accesses, fences that are not beside a barrier, inline assembly, barriers with
//! a number, and calls of functions without a body of which nothing is known.

use cranelift_entity::EntityRef;
use reconverge_graph::{Cycle, CycleForest, Node, SuccessorOrder};
use reconverge_ir::Function;
use reconverge_ir::constant::{Expression, ExpressionKind};
use reconverge_ir::function::{Block, Extra, Inst, Value};
use reconverge_ir::opcode::Opcode;
use reconverge_ir::types::TypeData;

use super::computes::Computes;
use super::{Coder, Order, What, constant};
use crate::target::{MemoryKind, Operation, Scope};

impl Coder<'_, '_> {
    /// The address of an access that is followed.
    pub(super) fn followed_address(&self, inst: Inst) -> Option<(Value, bool)> {
        if !self.accesses {
            return None;
        }
        let operands = self.function.operands(inst);
        let (address, writes) = match self.function.instructions[inst].opcode {
            Opcode::Load => (operands[0], false),
            Opcode::Store => (operands[1], true),
            _ => return None,
        };
        let TypeData::Pointer { address_space, .. } = self.module.types[self.function.values[address].ty] else {
            return None;
        };
        let kind = self.facts.target.load_from(address_space).kind;
        let may_be_shared = matches!(kind, MemoryKind::Shared | MemoryKind::Flat);
        (may_be_shared && self.variables.accessed(address).is_none()).then_some((address, writes))
    }

    /// An access to memory, if it is followed.
    pub(super) fn access(&mut self, inst: Inst) {
        let Some((address, writes)) = self.followed_address(inst) else { return };
        let address = self.register(address);
        if self.is_atomic(inst) {
            return self.step(What::Order(Order::Some));
        }
        self.code.accesses.push((inst, true));
        self.step(What::Access(inst, address, writes));
    }

    /// Notes of the function that is asked about which accesses are in no cycle in which something orders them.
    pub(super) fn mark_repeated(&mut self) {
        if self.asked.is_none() || self.code.accesses.is_empty() {
            return;
        }
        let cycles = CycleForest::compute(&self.function.control_flow_graph(), SuccessorOrder::Forward);
        let orders = |node: &Node| {
            let mut instructions = self.function.block_instructions(Block::new(node.index()));
            instructions.any(|inst| self.is_followed(inst) || self.orders(inst) || self.is_atomic(inst))
        };
        let ordered: Vec<Cycle> = cycles.top_level().filter(|&cycle| cycles.nodes(cycle).iter().any(orders)).collect();
        let is_ordered = |inst: Inst| {
            let node = Node::new(self.function.instructions[inst].block.index());
            ordered.iter().any(|&cycle| cycles.contains(cycle, node))
        };
        let accesses = self.code.accesses.iter().map(|&(inst, _)| (inst, is_ordered(inst))).collect();
        self.code.accesses = accesses;
    }

    fn is_atomic(&self, inst: Inst) -> bool {
        match self.function.instructions[inst].extra {
            Extra::Memory(memory) => self.function.memory[memory].ordering.is_some(),
            _ => false,
        }
    }

    /// Whether an instruction may order accesses, as far as it tells by itself.
    fn orders(&self, inst: Inst) -> bool {
        let orders = |opcode| matches!(opcode, Opcode::AtomicRmw | Opcode::CmpXchg | Opcode::Fence);
        orders(self.function.instructions[inst].opcode) || self.order(inst).is_some()
    }

    /// What a call orders, where accesses are followed.
    pub(super) fn order(&self, inst: Inst) -> Option<Order> {
        let Extra::Call(call) = self.function.instructions[inst].extra else { return None };
        if !self.accesses {
            return None;
        }
        let Some(callee) = self.function.calls[call].callee.expand() else { return Some(Order::Some) };
        if matches!(self.computes(inst), Computes::Call(_) | Computes::Query(..) | Computes::Intrinsic(_)) {
            return None;
        }
        let arguments = self.arguments(inst);
        let number = |index: u8| {
            let bits = constant(self.function, arguments.get(usize::from(index)).copied())?;
            Some(bits.cast_signed())
        };
        let Some(facts) = self.facts.operation_of(callee) else {
            let name = self.module.symbol_name(callee);
            let is_arithmetic = name.starts_with(b"llvm.") || name.starts_with(b"__nv_");
            return (!is_arithmetic).then_some(Order::Some);
        };
        let agree = facts.agree.map(|(_, operands)| operands);
        let has_number =
            |index: &usize| agree.is_some_and(|agree| agree.contains(*index)) && number(*index as u8) != Some(0);
        Some(match facts.of_call(number).operation {
            Operation::Barrier(_) if (0..arguments.len()).any(|index| has_number(&index)) => Order::Some,
            Operation::Barrier(Scope::Workgroup | Scope::Grid)
            | Operation::Crosslane(Scope::Workgroup | Scope::Grid) => Order::Workgroup,
            _ => Order::Subgroup,
        })
    }

    /// Whether a fence is what a barrier does to memory: it is before or after one, with nothing in between.
    pub(super) fn is_of_barrier(&self, fence: Inst) -> bool {
        let block = self.function.instructions[fence].block;
        let all: Vec<Inst> = self.function.block_instructions(block).collect();
        let at = all.iter().position(|&inst| inst == fence).unwrap_or(0);
        let beside = [at.checked_sub(1), Some(at + 1)].into_iter().flatten().filter_map(|at| all.get(at));
        let is_barrier = |&inst: &Inst| {
            self.function.instructions[inst].opcode == Opcode::Call
                && matches!(self.order(inst), Some(Order::Workgroup | Order::Subgroup))
        };
        beside.copied().any(|inst| is_barrier(&inst))
    }

    /// Whether threads have to be followed to a block for what it does to memory.
    pub(super) fn accesses_in(&self, block: Block) -> bool {
        let mut instructions = self.function.block_instructions(block);
        self.accesses && instructions.any(|inst| self.orders(inst) || self.followed_address(inst).is_some())
    }
}

/// The pointer that a constant expression is, in another address space or as another type.
pub(super) fn same_pointer(function: &Function, expression: Expression) -> Option<Value> {
    let data = &function.constants.expressions[expression];
    let is_cast = matches!(data.kind, ExpressionKind::Operation(Opcode::AddrSpaceCast | Opcode::BitCast, _));
    function.list(data.operands).first().copied().filter(|_| is_cast)
}
