//! A function, ready to run: its instructions as operations on the registers of a frame.
//!
//! Invariants: the registers of a value are contiguous, in the order of its flattened type; constants are slots like
//! registers, in a table of their own; everything that depends on types alone (offsets, strides, parts of memory accesses) is
//! worked out here, once. What depends on the model of convergence is in [`Flow`](super::flow::Flow).

use cranelift_entity::entity_impl;
use reconverge_graph::Digraph;
use reconverge_ir::function::Inst;
use reconverge_ir::opcode::{Flags, Opcode, Ordering, Predicate, RmwOperation};
use reconverge_ir::{Function, FunctionId};

use crate::arithmetic::Intrinsic;
use crate::builtins::{MemoryBuiltin, PureBuiltin};
use crate::memory::{Part, Segment};
use crate::operations::{Barrier, ConstantData, Crosslane, Query, Stop};
use crate::value::{Scalar, Shape, Slot};

/// A function that can be run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct CodeId(u32);
entity_impl!(CodeId, "code");

/// Slots in a row: of the frame, or of the constants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Operand {
    start: u32,
    pub(crate) count: u32,
}

const CONSTANT: u32 = 1 << 31;

impl Operand {
    pub(crate) fn registers(start: u32, count: usize) -> Operand {
        Operand { start, count: count as u32 }
    }

    pub(crate) fn constants(start: usize, count: usize) -> Operand {
        Operand { start: start as u32 | CONSTANT, count: count as u32 }
    }

    /// The part that starts at a component.
    pub(crate) fn part(self, offset: usize, count: usize) -> Operand {
        Operand { start: self.start + offset as u32, count: count as u32 }
    }

    /// The slots.
    pub(crate) fn of<'s>(self, registers: &'s [Slot], constants: &'s [Slot]) -> &'s [Slot] {
        let start = (self.start & !CONSTANT) as usize;
        let from = if self.start & CONSTANT == 0 { registers } else { constants };
        &from[start..start + self.count as usize]
    }

    /// Where the slots start, if they are registers.
    pub(crate) fn register(self) -> Option<u32> {
        (self.start & CONSTANT == 0).then_some(self.start)
    }
}

/// The registers of a result: the first, and how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Registers {
    pub(crate) start: u32,
    pub(crate) count: u32,
}

impl Registers {
    pub(crate) fn range(self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.count) as usize
    }

    pub(crate) fn operand(self) -> Operand {
        Operand { start: self.start, count: self.count }
    }
}

/// A function, decoded.
#[derive(Debug)]
pub(crate) struct Code {
    /// The function in the module.
    pub(crate) id: FunctionId,
    /// Its name, without sigil.
    pub(crate) name: String,
    /// Its body: for names and places.
    pub(crate) ir: Function,
    /// The registers of the parameters.
    pub(crate) parameters: Vec<Registers>,
    /// How many registers a frame has.
    pub(crate) registers: u32,
    /// The constants.
    pub(crate) constants: Vec<Slot>,
    /// The blocks, numbered as in the function.
    pub(crate) blocks: Vec<BlockCode>,
    /// The operations of all blocks.
    pub(crate) ops: Vec<Op>,
    /// The instruction of each operation.
    pub(crate) insts: Vec<Inst>,
    /// The edges between blocks.
    pub(crate) edges: Vec<Edge>,
    /// What phis take along the edges.
    pub(crate) moves: Vec<Move>,
    /// How many bytes of private memory a frame has from the start.
    pub(crate) frame_bytes: u64,
    /// The control-flow graph.
    pub(crate) graph: Digraph,
    /// The sum of the operations of all functions before this one: makes a number for each operation of the program.
    pub(crate) first_site: u32,
    /// For each operation, the operations that define the tokens whose convergence regions contain it.
    pub(crate) regions: Vec<Box<[u32]>>,
    /// The operations that define tokens.
    pub(crate) token_definitions: Vec<u32>,
}

/// A block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BlockCode {
    /// Its first operation.
    pub(crate) first: u32,
    /// One past its last operation.
    pub(crate) end: u32,
}

/// An edge of the graph.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Edge {
    pub(crate) from: u32,
    pub(crate) target: u32,
    /// The moves, a range of [`Code::moves`].
    pub(crate) first_move: u32,
    pub(crate) last_move: u32,
    /// Whether a phi that is written here is read by another move of the edge.
    pub(crate) parallel: bool,
}

/// What one component of a phi takes along an edge.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Move {
    pub(crate) from: Operand,
    pub(crate) to: u32,
}

/// The number of an edge, in [`Code::edges`].
pub(crate) type EdgeIndex = u32;

/// A term of an address: an index times a stride.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Term {
    pub(crate) index: Operand,
    /// The width of the index, which is signed.
    pub(crate) bits: u32,
    pub(crate) stride: i64,
}

/// Who is called.
#[derive(Debug, Clone)]
pub(crate) enum Callee {
    Direct(CodeId),
    /// The address is in a register.
    Indirect(Operand),
}

/// An operation.
#[derive(Debug, Clone)]
pub(crate) enum Op {
    /// Two operands, element by element.
    Binary { opcode: Opcode, flags: Flags, scalar: Scalar, a: Operand, b: Operand, out: Registers },
    /// `fneg`.
    Negate { scalar: Scalar, flags: Flags, a: Operand, out: Registers },
    /// `icmp`, `fcmp`.
    Compare { opcode: Opcode, predicate: Predicate, flags: Flags, scalar: Scalar, a: Operand, b: Operand, out: Registers },
    /// One condition for everything, or one for each element.
    Select { shape: Shape, condition: Operand, a: Operand, b: Operand, out: Registers },
    /// `freeze`.
    Freeze { shape: Shape, a: Operand, out: Registers },
    /// A conversion, element by element.
    Cast { opcode: Opcode, flags: Flags, from: Scalar, to: Scalar, a: Operand, out: Registers },
    /// `bitcast` between types of other shapes.
    BitCast { from: Shape, to: Shape, a: Operand, out: Registers },
    /// `ptrtoint`, `ptrtoaddr`: the bits that the pointer has in memory.
    ToInteger { segment: Option<Segment>, bits: u32, to: Scalar, a: Operand, out: Registers },
    /// `inttoptr`.
    FromInteger { segment: Option<Segment>, bits: u32, from: Scalar, a: Operand, out: Registers },
    /// Components from anywhere: what takes apart, puts together or shuffles values at fixed places.
    Move { moves: Box<[Move]> },
    /// An element at a place that is computed. `width` components each.
    Extract { vector: Operand, index: Operand, bits: u32, width: u32, out: Registers },
    Insert { vector: Operand, element: Operand, index: Operand, bits: u32, width: u32, out: Registers },
    /// `getelementptr`. Pointers of fewer than 64 bits wrap in those.
    Address { base: Operand, offset: i64, terms: Box<[Term]>, bits: u32, out: u32 },
    /// `alloca` of a fixed size in the entry block: the offset in the frame.
    Alloca { offset: u64, out: u32 },
    /// Any other `alloca`.
    AllocaDynamic { count: Operand, size: u64, alignment: u64, out: u32 },
    Load { address: Operand, parts: Box<[Part]>, atomic: Option<Ordering>, out: Registers },
    Store { address: Operand, parts: Box<[Part]>, atomic: Option<Ordering>, value: Operand },
    AtomicRmw { operation: RmwOperation, scalar: Scalar, part: Part, address: Operand, value: Operand, out: Registers },
    CompareExchange { scalar: Scalar, part: Part, address: Operand, expected: Operand, desired: Operand, out: Registers },
    /// `llvm.memcpy`, `llvm.memmove`.
    CopyMemory { to: Operand, from: Operand, length: Operand },
    /// `llvm.memset`.
    SetMemory { to: Operand, value: Operand, length: Operand },
    /// A function of its operands.
    Intrinsic { intrinsic: Box<Intrinsic>, arguments: Box<[Operand]>, out: Registers },
    Pure { builtin: Box<PureBuiltin>, arguments: Box<[Operand]>, out: Registers },
    /// A library function that reads or writes memory.
    Memory { builtin: Box<MemoryBuiltin>, arguments: Box<[Operand]>, out: Registers },
    Query { query: Query, dimension: Option<Operand>, out: Registers },
    /// A pointer to what the launch prepared.
    LaunchData { data: ConstantData, out: u32 },
    /// A time that grows.
    Clock { out: Registers },
    /// No effect.
    Nothing,
    /// `llvm.stacksave`, `llvm.stackrestore`.
    StackSave { out: u32 },
    StackRestore { a: Operand },
    /// `llvm.experimental.convergence.entry`.
    Entry { out: u32 },
    Anchor { out: u32 },
    /// `llvm.experimental.convergence.loop`, with its number among the hearts of the function.
    Heart { token: Operand, definition: u32, heart: u32, out: u32 },
    Barrier { barrier: Box<Barrier>, arguments: Box<[Operand]>, token: Option<TokenUse>, out: Registers },
    Crosslane { operation: Box<Crosslane>, arguments: Box<[Operand]>, token: Option<TokenUse>, out: Registers },
    /// A convergent function without a body.
    Declared { arguments: Box<[Operand]>, returns: Option<Operand>, token: Option<TokenUse>, out: Registers },
    Call { callee: Callee, arguments: Box<[Operand]>, convergent: bool, token: Option<TokenUse>, out: Registers },
    Assume { condition: Operand },
    /// Terminators.
    Jump { edge: EdgeIndex },
    Branch { condition: Operand, then: EdgeIndex, otherwise: EdgeIndex },
    Switch { value: Operand, bits: u32, cases: Box<[(Operand, EdgeIndex)]>, default: EdgeIndex },
    Return { value: Operand },
    Stop { stop: Stop },
    Unreachable,
}

/// The token operand of a controlled operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TokenUse {
    /// The register of the token.
    pub(crate) token: u32,
    /// The operation that defines it.
    pub(crate) definition: u32,
}
