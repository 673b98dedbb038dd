//! A function, ready to run: its instructions as operations on the registers of a frame.
//!
//! Invariants: the registers of a value are contiguous, in the order of its flattened type; constants are slots like
//! registers, in a table of their own; everything that depends on types alone (offsets, strides, parts of memory accesses) is
//! worked out here, once. What depends on the model of convergence is in [`Flow`](super::flow::Flow).

use cranelift_entity::entity_impl;
use reconverge_findings::Severity;
use reconverge_findings::run::Noundef;
use reconverge_graph::Digraph;
use reconverge_ir::function::Inst;
use reconverge_ir::opcode::{Flags, Opcode, Ordering, Predicate, RmwOperation};
use reconverge_ir::{Function, FunctionId, Module};
use rustc_hash::FxHashMap;

use crate::arithmetic::Intrinsic;
use crate::builtins::{GroupCopy, MemoryBuiltin, Pure};
use crate::memory::{Layout, Ordered, Segment};
use crate::operations::{Barrier, ConstantData, Crosslane, Query, Scope, Stop};
use crate::print::Dialect;
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

    /// No slots.
    pub(crate) fn none() -> Operand {
        Operand { start: 0, count: 0 }
    }

    /// Which constants these are, if they are constants.
    pub(crate) fn constant_range(self) -> Option<std::ops::Range<usize>> {
        let start = (self.start & !CONSTANT) as usize;
        (self.start & CONSTANT != 0).then(|| start..start + self.count as usize)
    }

    /// Where the slots start, if they are registers.
    pub(crate) fn register(self) -> Option<u32> {
        (self.start & CONSTANT == 0).then_some(self.start)
    }
}

/// The registers of a result: the first, and how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
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
    /// The first operation of each block, numbered as in the function.
    pub(crate) blocks: Vec<u32>,
    /// The operations of all blocks.
    pub(crate) ops: Vec<Op>,
    /// The instruction of each operation.
    pub(crate) insts: Vec<Inst>,
    /// The edges between blocks.
    pub(crate) edges: Vec<Edge>,
    /// What phis take along the edges.
    pub(crate) moves: Vec<Move>,
    /// The control-flow graph.
    pub(crate) graph: Digraph,
    /// The sum of the operations of all functions before this one: makes a number for each operation of the program.
    pub(crate) first_site: u32,
    /// For each operation, the operations that define the tokens whose convergence regions contain it.
    pub(crate) regions: Vec<Box<[u32]>>,
    /// The operations that define tokens, ascending.
    pub(crate) token_definitions: Vec<u32>,
    /// How many hearts it has.
    pub(crate) hearts: u32,
    /// The phis of each block, with their registers.
    pub(crate) phis: Vec<Vec<(Inst, Registers)>>,
    /// The intrinsics that operations of inline assembly are, of those that are no function of their operands.
    pub(crate) intrinsics: FxHashMap<u32, CalledIntrinsic>,
}

/// A call of an intrinsic that is none in the text.
#[derive(Debug)]
pub(crate) struct CalledIntrinsic {
    pub(crate) name: String,
    pub(crate) operands: Vec<Shape>,
    pub(crate) result: Shape,
}

impl Code {
    /// Whether an operation is a part of inline assembly, but not the last one, which gives the results.
    pub(crate) fn is_part_of_assembly(&self, module: &Module<'_>, op: u32) -> bool {
        let inst = self.insts[op as usize];
        self.insts.get(op as usize + 1) == Some(&inst) && module.assembly(&self.ir, inst).is_some()
    }
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
    /// By an address. Whether the call is convergent: that of a function that is named is as the function is.
    Indirect {
        address: Operand,
        is_convergent: bool,
    },
}

/// An operation.
#[derive(Debug)]
pub(crate) enum Op {
    /// Two operands, element by element.
    Binary {
        opcode: Opcode,
        flags: Flags,
        scalar: Scalar,
        a: Operand,
        b: Operand,
        out: Registers,
    },
    /// `fneg`.
    Negate {
        scalar: Scalar,
        flags: Flags,
        a: Operand,
        out: Registers,
    },
    /// `icmp`, `fcmp`.
    Compare {
        opcode: Opcode,
        predicate: Predicate,
        flags: Flags,
        scalar: Scalar,
        a: Operand,
        b: Operand,
        out: Registers,
    },
    /// One condition for everything, or one for each element.
    Select {
        shape: Shape,
        flags: Flags,
        condition: Operand,
        a: Operand,
        b: Operand,
        out: Registers,
    },
    /// `freeze`.
    Freeze {
        a: Operand,
        out: Registers,
    },
    /// A conversion, element by element.
    Cast {
        opcode: Opcode,
        flags: Flags,
        from: Scalar,
        to: Scalar,
        a: Operand,
        out: Registers,
    },
    /// `bitcast` between types of other shapes.
    BitCast {
        from: Shape,
        to: Shape,
        a: Operand,
        out: Registers,
    },
    /// `ptrtoint`, `ptrtoaddr`, of pointers that have so many bits in memory.
    ToInteger {
        bits: u32,
        to: Scalar,
        a: Operand,
        out: Registers,
    },
    /// `inttoptr`.
    FromInteger {
        bits: u32,
        from: Scalar,
        a: Operand,
        out: Registers,
    },
    /// Whether an address is in a segment; or the address if it is, else null.
    IsIn {
        segment: Segment,
        gives_address: bool,
        a: Operand,
        out: Registers,
    },
    /// Components from anywhere: what takes apart, puts together or shuffles values at fixed places.
    Move {
        moves: Box<[Move]>,
    },
    /// An element at a place that is computed; elements have `width` components.
    Extract {
        vector: Operand,
        index: Operand,
        width: u32,
        out: Registers,
    },
    /// Another element at a place that is computed.
    Insert {
        vector: Operand,
        element: Operand,
        index: Operand,
        width: u32,
        out: Registers,
    },
    /// `getelementptr`. Pointers of fewer than 64 bits wrap in those.
    Address {
        base: Operand,
        offset: i64,
        terms: Box<[Term]>,
        bits: u32,
        out: Registers,
    },
    Alloca {
        count: Operand,
        size: u64,
        alignment: u64,
        out: Registers,
    },
    Load {
        address: Operand,
        layout: Box<Layout>,
        atomic: Option<Ordering>,
        out: Registers,
    },
    Store {
        address: Operand,
        layout: Box<Layout>,
        atomic: Option<Ordering>,
        value: Operand,
    },
    AtomicRmw {
        operation: RmwOperation,
        scalar: Scalar,
        layout: Box<Layout>,
        ordering: Ordering,
        address: Operand,
        value: Operand,
        out: Registers,
    },
    CompareExchange {
        layout: Box<Layout>,
        ordering: Ordering,
        address: Operand,
        expected: Operand,
        desired: Operand,
        out: Registers,
    },
    Fence {
        ordering: Ordering,
    },
    /// `llvm.memcpy`, `llvm.memmove`.
    CopyMemory {
        to: Operand,
        from: Operand,
        length: Operand,
    },
    /// `llvm.memset`.
    SetMemory {
        to: Operand,
        value: Operand,
        length: Operand,
    },
    /// An intrinsic that is a function of its operands.
    Intrinsic {
        intrinsic: Box<Intrinsic>,
        arguments: Box<[Operand]>,
        out: Registers,
    },
    /// A library function that is a function of its operands.
    Pure {
        builtin: Box<Pure>,
        arguments: Box<[Operand]>,
        out: Registers,
    },
    /// A library function that reads or writes memory.
    Library {
        builtin: Box<MemoryBuiltin>,
        arguments: Box<[Operand]>,
        out: Registers,
    },
    Query {
        query: Box<Query>,
        arguments: Box<[Operand]>,
        out: Registers,
    },
    /// A pointer to what the launch prepared.
    LaunchData {
        data: ConstantData,
        out: Registers,
    },
    /// The handle of a resource: its number among those of the launch, from 1; 0 where the launch has none at this binding.
    Handle {
        set: Operand,
        binding: Operand,
        /// Which one of an array. There are none, so it has to be 0.
        index: Operand,
        out: Registers,
    },
    /// The address of an element of a resource.
    Element {
        handle: Operand,
        index: Operand,
        bytes: u64,
        out: Registers,
    },
    /// A time that grows.
    Clock {
        out: Registers,
    },
    /// No effect; a result is zero.
    Nothing {
        out: Registers,
    },
    /// `llvm.stacksave`, as a stack pointer.
    StackSave {
        out: Registers,
    },
    StackRestore {
        a: Operand,
    },
    /// `llvm.assume`.
    Assume {
        condition: Operand,
    },
    /// `llvm.experimental.convergence.entry`.
    Entry {
        out: Registers,
    },
    /// `llvm.experimental.convergence.anchor`.
    Anchor {
        out: Registers,
    },
    /// `llvm.experimental.convergence.loop`, with its number among the hearts of the function.
    Heart {
        token: TokenUse,
        heart: u32,
        out: Registers,
    },
    Barrier {
        barrier: Box<Barrier>,
        arguments: Box<[Operand]>,
        token: Option<TokenUse>,
        /// Whether threads that have ended are not missed.
        tolerant: bool,
        /// How much it matters that threads have ended before it.
        after_exit: Severity,
        /// What memory it orders.
        ordered: Ordered,
        out: Registers,
    },
    Crosslane {
        operation: Box<Crosslane>,
        arguments: Box<[Operand]>,
        token: Option<TokenUse>,
        out: Registers,
    },
    /// `async_work_group_copy`, `wait_group_events`: all threads of a workgroup do it together.
    GroupCopy {
        copy: Option<Box<GroupCopy>>,
        arguments: Box<[Operand]>,
        token: Option<TokenUse>,
        out: Registers,
    },
    /// `printf` and `vprintf`: looked at, and not printed.
    Print {
        print: Box<Print>,
        out: Registers,
    },
    /// A convergent function without a body: returns an operand, or poison.
    /// A marker of statements; see [`statements`](crate::statements).
    Marker {
        function: u32,
        node: reconverge_outline::Node,
        token: Option<TokenUse>,
    },
    Declared {
        arguments: Box<[Operand]>,
        returns: Operand,
        token: Option<TokenUse>,
        out: Registers,
    },
    Call {
        callee: Callee,
        arguments: Box<[Operand]>,
        token: Option<TokenUse>,
        out: Registers,
        /// Where an `invoke` unwinds to.
        unwind: Option<EdgeIndex>,
    },
    /// What has to be known for an instruction: a part of it.
    Needed {
        operands: Box<[(Noundef, Operand)]>,
        /// How many operations further on the instruction itself is.
        of: i32,
    },
    /// Where an `invoke` or `callbr` goes on when its call is over: a part of that instruction.
    Continue {
        edge: EdgeIndex,
    },
    /// `resume`, `cleanupret`, and calls that throw.
    Throw {
        exception: Operand,
        /// The type that the exception gets; else it keeps its own.
        of_type: Option<Operand>,
        /// The pad in this function that comes next, if there is one.
        unwind: Option<EdgeIndex>,
    },
    /// `landingpad`, and `cleanuppad`, which has the exception only.
    Land {
        clauses: Box<[Clause]>,
        cleanup: bool,
        out: Registers,
    },
    /// `catchswitch`.
    Catch {
        handlers: Box<[(Clause, EdgeIndex)]>,
        /// Where it unwinds to when no handler fits, if not to the caller.
        further: Option<EdgeIndex>,
        out: Registers,
    },
    Jump {
        edge: EdgeIndex,
    },
    Branch {
        condition: Operand,
        then: EdgeIndex,
        otherwise: EdgeIndex,
    },
    Switch {
        value: Operand,
        cases: Box<[(Operand, EdgeIndex)]>,
        /// `indirectbr` has none.
        default: Option<EdgeIndex>,
    },
    Return {
        value: Operand,
    },
    Stop {
        stop: Stop,
    },
    Unreachable,
}

/// What of exceptions a pad catches.
#[derive(Debug)]
pub(crate) enum Clause {
    /// Those of a type, with its number in selectors.
    Catch { of_type: Operand, selector: u64 },
    /// All of them.
    CatchAll,
    /// Those of other types than these.
    Filter(Operand),
}

/// A call of `printf`.
#[derive(Debug)]
pub(crate) struct Print {
    pub(crate) dialect: Dialect,
    pub(crate) format: Operand,
    /// What follows the format, with flattened types.
    pub(crate) arguments: Box<[(Operand, Shape)]>,
    /// Whether the only argument points to the arguments: `vprintf`.
    pub(crate) list: bool,
    /// How many bits its result has; 0 where it has none.
    pub(crate) result_bits: u32,
}

/// The token operand of a controlled operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TokenUse {
    /// The register of the token.
    pub(crate) token: u32,
    /// The operation that defines it.
    pub(crate) definition: u32,
}

impl Op {
    /// Whether it concerns each thread alone, and the next operation follows it.
    #[inline]
    pub(crate) fn is_simple(&self) -> bool {
        !matches!(
            self,
            Op::Entry { .. }
                | Op::Anchor { .. }
                | Op::Heart { .. }
                | Op::Barrier { .. }
                | Op::Crosslane { .. }
                | Op::GroupCopy { .. }
                | Op::Declared { .. }
                | Op::Marker { .. }
                | Op::Call { .. }
                | Op::Needed { .. }
                | Op::Continue { .. }
                | Op::Throw { .. }
                | Op::Land { .. }
                | Op::Catch { .. }
                | Op::Jump { .. }
                | Op::Branch { .. }
                | Op::Switch { .. }
                | Op::Return { .. }
                | Op::Stop { .. }
                | Op::Unreachable
        )
    }

    /// The operands of a call, in order.
    pub(crate) fn arguments(&self) -> &[Operand] {
        match self {
            Op::Barrier { arguments, .. }
            | Op::Crosslane { arguments, .. }
            | Op::GroupCopy { arguments, .. }
            | Op::Declared { arguments, .. }
            | Op::Call { arguments, .. } => arguments,
            _ => &[],
        }
    }

    /// The token that the operation is controlled by.
    pub(crate) fn token(&self) -> Option<TokenUse> {
        match self {
            Op::Barrier { token, .. }
            | Op::Crosslane { token, .. }
            | Op::GroupCopy { token, .. }
            | Op::Declared { token, .. }
            | Op::Marker { token, .. }
            | Op::Call { token, .. } => *token,
            Op::Heart { token, .. } => Some(*token),
            _ => None,
        }
    }

    /// Where its token operand is kept, for corrections.
    pub(crate) fn token_mut(&mut self) -> Option<&mut TokenUse> {
        match self {
            Op::Barrier { token, .. }
            | Op::Crosslane { token, .. }
            | Op::GroupCopy { token, .. }
            | Op::Declared { token, .. }
            | Op::Call { token, .. } => token.as_mut(),
            Op::Heart { token, .. } => Some(token),
            _ => None,
        }
    }

    /// The registers of its result.
    pub(crate) fn out(&self) -> Option<Registers> {
        match *self {
            Op::Binary { out, .. }
            | Op::Negate { out, .. }
            | Op::Compare { out, .. }
            | Op::Select { out, .. }
            | Op::Freeze { out, .. }
            | Op::Cast { out, .. }
            | Op::BitCast { out, .. }
            | Op::ToInteger { out, .. }
            | Op::FromInteger { out, .. }
            | Op::IsIn { out, .. }
            | Op::Extract { out, .. }
            | Op::Insert { out, .. }
            | Op::Address { out, .. }
            | Op::Alloca { out, .. }
            | Op::Load { out, .. }
            | Op::AtomicRmw { out, .. }
            | Op::CompareExchange { out, .. }
            | Op::Intrinsic { out, .. }
            | Op::Pure { out, .. }
            | Op::Library { out, .. }
            | Op::Print { out, .. }
            | Op::Query { out, .. }
            | Op::LaunchData { out, .. }
            | Op::Handle { out, .. }
            | Op::Element { out, .. }
            | Op::Clock { out }
            | Op::Nothing { out }
            | Op::StackSave { out }
            | Op::Entry { out }
            | Op::Anchor { out }
            | Op::Heart { out, .. }
            | Op::Barrier { out, .. }
            | Op::Crosslane { out, .. }
            | Op::GroupCopy { out, .. }
            | Op::Declared { out, .. }
            | Op::Land { out, .. }
            | Op::Catch { out, .. }
            | Op::Call { out, .. } => Some(out),
            Op::Move { ref moves } => {
                let first = moves.first()?;
                Some(Registers { start: first.to, count: moves.len() as u32 })
            }
            _ => None,
        }
    }

    /// The group whose threads wait for each other at it.
    pub(crate) fn scope(&self) -> Option<Scope> {
        match self {
            Op::Barrier { barrier, .. } => Some(barrier.scope),
            Op::Crosslane { operation, .. } => Some(operation.scope),
            Op::GroupCopy { .. } => Some(Scope::Workgroup),
            _ => None,
        }
    }

    /// Whether threads that are here and threads that are there execute the same operation, be it at two places of the text.
    pub(crate) fn is_same_operation(&self, other: &Op) -> bool {
        match (self, other) {
            (Op::Barrier { barrier: one, .. }, Op::Barrier { barrier: other, .. }) => one == other,
            (Op::Crosslane { operation: one, .. }, Op::Crosslane { operation: other, .. }) => one == other,
            _ => false,
        }
    }

    /// Whether it is a barrier that threads at other barriers with the same number complete, too.
    pub(crate) fn is_loose_barrier(&self) -> bool {
        matches!(self, Op::Barrier { barrier, .. }
            if barrier.textual != Some(barrier.scope) && !barrier.partial && barrier.mask.is_none())
    }
}

impl Code {
    /// The block of an operation.
    pub(crate) fn block_of(&self, op: u32) -> u32 {
        self.ir.instructions[self.insts[op as usize]].block.as_u32()
    }

    /// The register that an operation puts its token into.
    pub(crate) fn token_register(&self, definition: u32) -> Option<u32> {
        match &self.ops[definition as usize] {
            Op::Entry { out } | Op::Anchor { out } | Op::Heart { out, .. } => Some(out.start),
            _ => None,
        }
    }

    /// Whether an instruction is a phi.
    pub(crate) fn is_phi(&self, inst: Inst) -> bool {
        self.ir.instructions[inst].opcode == Opcode::Phi
    }
}
