//! Accesses to memory that threads share, and what orders them.
//!
//! **Definition.** An access is followed where its address may be one of memory that a workgroup shares; of a structure or a vector, each [piece](PIECE) is one. What *orders* accesses is each operation of several threads
//! (those of its threads), and, of nobody knows which threads: atomic accesses whose result is used, fences that are not beside a barrier, inline assembly, barriers with
//! a number, and calls of functions without a body of which nothing is known. An atomic operation whose result nobody uses is an access, and orders nothing: the thread cannot know what came before.

use cranelift_entity::EntityRef;
use reconverge_graph::{Cycle, CycleForest, Node, SuccessorOrder};
use reconverge_ir::Function;
use reconverge_ir::constant::{Expression, ExpressionKind};
use reconverge_ir::function::{Block, Extra, Inst, Memory, Value};
use reconverge_ir::opcode::{Flags, Opcode};
use reconverge_ir::types::TypeData;
use reconverge_operations::names;
use rustc_hash::FxHashSet;
use smallvec::{SmallVec, smallvec};

use super::computes::Computes;
use super::{Coder, Order, What, constant};
use crate::target::{MemoryKind, Operation, Scope};

/// So many bytes are a piece of what is larger than a number: what accesses a piece alone has its address.
pub(in crate::certainty) const PIECE: u64 = 4;

/// So many pieces are followed of one access.
const MOST_PIECES: u64 = 16;

/// What is done to memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::certainty) enum Access {
    Load {
        volatile: bool,
    },
    Store {
        volatile: bool,
    },
    /// Both, atomically, with a result that nobody uses.
    Update,
}

impl Access {
    pub(in crate::certainty) fn reads(self) -> bool {
        !matches!(self, Access::Store { .. })
    }

    pub(in crate::certainty) fn writes(self) -> bool {
        !matches!(self, Access::Load { .. })
    }

    pub(in crate::certainty) fn is_store(self) -> bool {
        matches!(self, Access::Store { .. })
    }

    /// Whether the two belong together although nothing orders them: an atomic operation and another one, or a volatile access, as of who waits for a flag.
    pub(in crate::certainty) fn goes_with(self, other: Access) -> bool {
        let is_on_purpose = |one| !matches!(one, Access::Load { volatile: false } | Access::Store { volatile: false });
        [self, other].contains(&Access::Update) && is_on_purpose(self) && is_on_purpose(other)
    }
}

/// What an instruction does to memory that a workgroup may share.
#[derive(Debug, Clone, Copy)]
pub(super) struct Followed {
    pub(super) address: Value,
    access: Access,
    /// How many addresses it accesses, each [`PIECE`] bytes behind the one before.
    pieces: u32,
}

impl Coder<'_, '_> {
    /// The accesses of an instruction that are followed: one of a load or a store, two of a copy.
    pub(super) fn followed(&self, inst: Inst) -> SmallVec<[Followed; 2]> {
        if !self.accesses {
            return SmallVec::new();
        }
        let (operands, extra) = (self.function.operands(inst), self.function.instructions[inst].extra);
        let volatile = self.function.instructions[inst].flags.contains(Flags::VOLATILE);
        if let Some(address) = self.updated(inst) {
            let update = Followed { address, access: Access::Update, pieces: 1 };
            return if self.may_be_shared(address) { smallvec![update] } else { SmallVec::new() };
        }
        let all: SmallVec<[(Value, Access, u32); 2]> = match (self.function.instructions[inst].opcode, extra) {
            (Opcode::Load, Extra::Memory(memory)) => {
                smallvec![(operands[0], Access::Load { volatile }, self.pieces_of(memory))]
            }
            (Opcode::Store, Extra::Memory(memory)) => {
                smallvec![(operands[1], Access::Store { volatile }, self.pieces_of(memory))]
            }

            (Opcode::Call, Extra::Call(call)) => {
                let callee = self.function.calls[call].callee.expand();
                let name = callee.map(|callee| self.module.symbol_name(callee)).unwrap_or_default();
                let is_copy = name.starts_with(b"llvm.memcpy.") || name.starts_with(b"llvm.memmove.");
                match *self.arguments(inst) {
                    [to, from, bytes, ..] if is_copy => {
                        let pieces = constant(self.function, Some(bytes)).map_or(1, pieces);
                        smallvec![(from, Access::Load { volatile }, pieces), (to, Access::Store { volatile }, pieces)]
                    }
                    [to, _, bytes, ..] if name.starts_with(b"llvm.memset.") => {
                        smallvec![(
                            to,
                            Access::Store { volatile },
                            constant(self.function, Some(bytes)).map_or(1, pieces)
                        )]
                    }
                    _ => SmallVec::new(),
                }
            }
            _ => SmallVec::new(),
        };
        let followed = all.into_iter().filter(|&(address, ..)| self.may_be_shared(address));
        followed.map(|(address, access, pieces)| Followed { address, access, pieces }).collect()
    }

    /// Whether an address may be one of memory that a workgroup shares.
    fn may_be_shared(&self, address: Value) -> bool {
        let TypeData::Pointer { address_space, .. } = self.module.types[self.function.values[address].ty] else {
            return false;
        };
        let kind = self.facts.target.load_from(address_space).kind;
        matches!(kind, MemoryKind::Shared | MemoryKind::Flat) && self.variables.accessed(address).is_none()
    }

    /// The address that an atomic operation changes whose result nobody uses.
    pub(super) fn updated(&self, inst: Inst) -> Option<Value> {
        let data = &self.function.instructions[inst];
        let is_update = match (data.opcode, data.extra) {
            (Opcode::AtomicRmw, _) => true,
            (Opcode::Call, Extra::Call(call)) => {
                let callee = self.function.calls[call].callee.expand();
                let name = callee.map(|callee| self.module.symbol_name(callee)).unwrap_or_default();
                names::plain(&name).is_some_and(names::is_atomic_update)
            }
            _ => false,
        };
        let is_used = data.result.expand().is_some_and(|result| self.used.contains(&result));
        self.function.operands(inst).first().copied().filter(|_| is_update && !is_used)
    }

    /// A number of up to 64 bits is one piece.
    fn pieces_of(&self, memory: Memory) -> u32 {
        let ty = self.function.memory[memory].ty;
        match self.module.types[ty] {
            TypeData::Integer(65..)
            | TypeData::Struct { .. }
            | TypeData::Array { .. }
            | TypeData::Vector { .. }
            | TypeData::Named(_) => {
                let size = self.facts.layout(self.module).and_then(|layout| layout.store_size(self.module, ty).ok());
                size.map_or(1, pieces)
            }
            _ => 1,
        }
    }

    /// The accesses of an instruction, if they are followed.
    pub(super) fn access(&mut self, inst: Inst) {
        for Followed { address, access, pieces } in self.followed(inst) {
            let address = self.register(address);
            if access != Access::Update && self.is_atomic(inst) {
                self.step(What::Order(Order::Some));
            } else {
                self.code.accesses.push((inst, true));
                self.step(What::Access { inst, address, access, pieces });
            }
        }
    }

    /// Finds the values that something uses, where accesses are followed: being put into a variable is no use where nothing that is read from it has one. O(function) for each
    /// variable that is given what comes of another one.
    pub(super) fn find_what_is_used(&mut self) {
        if !self.accesses {
            return;
        }
        let (mut stored, mut loaded): (Vec<[Value; 2]>, Vec<[Value; 2]>) = (Vec::new(), Vec::new());
        for (inst, data) in &self.function.instructions {
            let operands = self.function.operands(inst);
            let variable = match data.opcode {
                Opcode::Store => self.variables.accessed(operands[1]),
                Opcode::Load => self.variables.accessed(operands[0]),
                _ => None,
            };
            match (data.opcode, variable, data.result.expand()) {
                (Opcode::Store, Some((variable, _)), _) => stored.push([operands[0], variable]),
                (Opcode::Load, Some((variable, _)), Some(result)) => loaded.push([result, variable]),
                _ => self.used.extend(operands),
            }
        }
        loop {
            let read = loaded.iter().filter(|[result, _]| self.used.contains(result));
            let read: FxHashSet<Value> = read.map(|&[_, variable]| variable).collect();
            let before = self.used.len();
            self.used.extend(stored.iter().filter(|[_, variable]| read.contains(variable)).map(|[value, _]| value));
            if self.used.len() == before {
                return;
            }
        }
    }

    /// Notes of the function that is asked about which accesses are in no cycle in which something orders them.
    pub(super) fn mark_repeated(&mut self) {
        if self.asked.is_none() || self.code.accesses.is_empty() {
            return;
        }
        let cycles = CycleForest::compute(&self.function.control_flow_graph(), SuccessorOrder::Forward);
        let orders = |node: &Node| {
            let mut instructions = self.function.block_instructions(Block::new(node.index()));
            instructions.any(|inst| self.is_followed(inst) || self.orders(inst) || self.is_atomic_access(inst))
        };
        let ordered: Vec<Cycle> = cycles.top_level().filter(|&cycle| cycles.nodes(cycle).iter().any(orders)).collect();
        let is_ordered = |inst: Inst| {
            let node = Node::new(self.function.instructions[inst].block.index());
            ordered.iter().any(|&cycle| cycles.contains(cycle, node))
        };
        let accesses = self.code.accesses.iter().map(|&(inst, _)| (inst, is_ordered(inst))).collect();
        self.code.accesses = accesses;
    }

    fn is_atomic_access(&self, inst: Inst) -> bool {
        matches!(self.function.instructions[inst].opcode, Opcode::Load | Opcode::Store) && self.is_atomic(inst)
    }

    fn is_atomic(&self, inst: Inst) -> bool {
        match self.function.instructions[inst].extra {
            Extra::Memory(memory) => self.function.memory[memory].ordering.is_some(),
            _ => false,
        }
    }

    /// Whether an instruction may order accesses, as far as it tells by itself.
    fn orders(&self, inst: Inst) -> bool {
        match self.function.instructions[inst].opcode {
            Opcode::CmpXchg | Opcode::Fence => true,
            Opcode::AtomicRmw => self.updated(inst).is_none(),
            _ => self.order(inst).is_some(),
        }
    }

    /// What a call orders, where accesses are followed.
    pub(super) fn order(&self, inst: Inst) -> Option<Order> {
        let Extra::Call(call) = self.function.instructions[inst].extra else { return None };
        if !self.accesses {
            return None;
        }
        let Some(callee) = self.function.calls[call].callee.expand() else { return Some(Order::Some) };
        if self.updated(inst).is_some() {
            return None;
        }
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
        self.accesses && instructions.any(|inst| self.orders(inst) || !self.followed(inst).is_empty())
    }
}

/// The pieces of so many bytes, of which some are followed.
fn pieces(bytes: u64) -> u32 {
    bytes.div_ceil(PIECE).clamp(1, MOST_PIECES) as u32
}

/// The pointer that a constant expression is, in another address space or as another type.
pub(super) fn same_pointer(function: &Function, expression: Expression) -> Option<Value> {
    let data = &function.constants.expressions[expression];
    let is_cast = matches!(data.kind, ExpressionKind::Operation(Opcode::AddrSpaceCast | Opcode::BitCast, _));
    function.list(data.operands).first().copied().filter(|_| is_cast)
}
