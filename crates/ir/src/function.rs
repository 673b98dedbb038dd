//! One function body, as flat tables.
//!
//! Invariants: blocks are numbered in the order of the text and the instructions of a block are
//! contiguous, so `blocks[b].instructions` is a range; every operand list is a slice of one pool. A
//! [`Function`] has no pointers into anything: its names are spans of the module's text, so that
//! one `Function` can be cleared and filled again without giving its memory back.

use std::ops::Range;

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, PrimaryMap, entity_impl};
use reconverge_graph::{Digraph, Node};

use crate::constant::ConstantData;
use crate::module::Symbol;
use crate::opcode::{Flags, Opcode, Ordering};
use crate::text::Span;
use crate::types::Type;

macro_rules! entities {
    ($($(#[$doc:meta])* $name:ident $prefix:literal;)*) => {
        $($(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(u32);
        entity_impl!($name, $prefix);)*
    };
}

entities! {
    /// A basic block; the same number as its [`Node`] in the control-flow graph.
    Block "block";
    /// An instruction.
    Inst "inst";
    /// A parameter, a result of an instruction, or a constant operand.
    Value "v";
    /// An entry of [`Function::calls`].
    Call "call";
    /// An entry of [`Function::memory`].
    Memory "memory";
}

/// A slice of a pool: `start..start + length`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct List {
    /// The first element.
    pub start: u32,
    /// How many.
    pub length: u32,
}

impl List {
    /// The slice of `pool`.
    pub fn of<T>(self, pool: &[T]) -> &[T] {
        &pool[self.start as usize..(self.start + self.length) as usize]
    }
}

/// A body, read.
#[derive(Debug, Clone, Default)]
pub struct Function {
    /// The values: parameters first, then everything else by first mention.
    pub values: PrimaryMap<Value, ValueData>,
    /// The blocks, in the order of the text. The first is the entry.
    pub blocks: PrimaryMap<Block, BlockData>,
    /// The instructions, in the order of the text.
    pub instructions: PrimaryMap<Inst, InstData>,
    /// The parameters' values.
    pub parameters: Vec<Value>,
    /// The parameters' names; numbers where none is spelled.
    pub parameter_names: Vec<LocalName>,
    /// What calls have beyond their operands.
    pub calls: PrimaryMap<Call, CallData>,
    /// What memory accesses have beyond their operands.
    pub memory: PrimaryMap<Memory, MemoryData>,
    /// The debug records (`#dbg_…`), each with the instruction that it stands before.
    pub debug_records: Vec<(Inst, Span)>,
    /// The text from the last block to the closing brace: `uselistorder` directives.
    pub use_list_orders: Span,
    /// Operand bundles, all calls'.
    pub bundles: Vec<BundleData>,
    /// Constants that have parts, all of them.
    pub constants: crate::constant::ConstantTables,
    pub(crate) operand_pool: Vec<Value>,
    pub(crate) block_pool: Vec<Block>,
    /// Attributes of arguments, indices of aggregates.
    pub(crate) span_pool: Vec<Span>,
    pub(crate) index_pool: Vec<u32>,
}

/// A value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ValueData {
    /// Its type.
    pub ty: Type,
    /// Where it comes from.
    pub definition: Definition,
}

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Definition {
    /// The parameter with this index.
    Parameter(u32),
    /// The result of an instruction.
    Instruction(Inst),
    /// A constant.
    Constant(ConstantData),
    /// Mentioned, not defined yet: the local name. No value of a finished function is this.
    Pending(Span),
}

/// A block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockData {
    /// Its name.
    pub name: LocalName,
    /// The first instruction.
    pub first: Inst,
    /// One past the last instruction, which is the terminator.
    pub end: Inst,
}

/// The name of a block or of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LocalName {
    /// Spelled in the text, possibly quoted; without sigil or colon.
    Text(Span),
    /// By number.
    Number(u32),
}

/// An instruction.
#[derive(Debug, Clone, Copy)]
pub struct InstData {
    /// What it does.
    pub opcode: Opcode,
    /// The keywords behind the opcode.
    pub flags: Flags,
    /// The type of its result; `void` when it has none.
    pub ty: Type,
    /// Its result.
    pub result: PackedOption<Value>,
    /// The block it is in.
    pub block: Block,
    /// What else the opcode has.
    pub extra: Extra,
    /// Its operands; read them with [`Function::operands`].
    pub operands: List,
    /// The blocks it names; read them with [`Function::targets`].
    pub targets: List,
    /// Its whole text, result and attachments included.
    pub span: Span,
    /// The name of its result; meaningless where there is none.
    pub name: LocalName,
    /// Its metadata attachments, from the first `!`; empty where there are none.
    pub attachments: Span,
    /// The number of the metadata node that `!dbg` names.
    pub debug_location: PackedOption<MetadataNumber>,
}

/// The number of a metadata node: `!7`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MetadataNumber(u32);
entity_impl!(MetadataNumber, "!");

impl MetadataNumber {
    /// The number that `!7` names; nothing for other nodes. The one number that an index cannot have, 2^32 - 1, is
    /// treated as no number: it can only be that of a node that nothing decodes.
    pub(crate) fn named(node: &[u8]) -> Option<MetadataNumber> {
        let number: u32 = std::str::from_utf8(node.strip_prefix(b"!")?).ok()?.parse().ok()?;
        (number != u32::MAX).then(|| MetadataNumber::from_u32(number))
    }
}

/// What an instruction has beyond operands, by opcode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extra {
    /// Nothing.
    None,
    /// `icmp`, `fcmp`.
    Predicate(crate::opcode::Predicate),
    /// `call`, `invoke`, `callbr`.
    Call(Call),
    /// `load`, `store`, `alloca`, `atomicrmw`, `cmpxchg`, `fence`.
    Memory(Memory),
    /// `getelementptr`: the source element type.
    Element(Type),
    /// `extractvalue`, `insertvalue`: the indices; read them with [`Function::indices`].
    Indices(List),
    /// `landingpad`: one letter a clause, `c` or `f`; read them with [`Function::indices`].
    Clauses(List),
    /// `catchswitch`, `cleanupret`: whether it unwinds to a block (its last target) or to the caller.
    UnwindsToBlock(bool),
}

/// What a call has beyond its operands. The operands of the instruction are the arguments, then those
/// of the bundles, then the callee.
#[derive(Debug, Clone, Copy)]
pub struct CallData {
    /// Calling convention, attributes of the result and address space, as in the text.
    pub prefix: Span,
    /// The type before the callee: the type of the result, or the whole function type.
    pub spelled_type: Type,
    /// What the callee is known to be, when it is a symbol.
    pub callee: PackedOption<Symbol>,
    /// How many of the operands are arguments.
    pub argument_count: u32,
    /// Whether the arguments end in `...`: a `musttail` call that forwards the caller's.
    pub forwards_variadic: bool,
    /// The attributes of the arguments; read them with [`Function::argument_attributes`].
    pub(crate) argument_attributes: List,
    /// The attributes behind the arguments, as in the text.
    pub attributes: Span,
    /// Whether those attributes, groups included, have `convergent`.
    pub convergent: bool,
    /// The bundles: a slice of [`Function::bundles`].
    pub bundles: List,
    /// Their text, from behind the arguments and attributes to the closing bracket; where there are none, the empty span there.
    pub bundle_list: Span,
}

/// An operand bundle.
#[derive(Debug, Clone, Copy)]
pub struct BundleData {
    /// The tag, with its quotes.
    pub tag: Span,
    /// Its operands; read them with [`Function::list`].
    pub operands: List,
    /// Whether it is a `convergencectrl` bundle, which carries a convergence token.
    pub is_convergence_control: bool,
}

/// What a memory access has beyond its operands.
#[derive(Debug, Clone, Copy)]
pub struct MemoryData {
    /// The type that is loaded, stored or allocated.
    pub ty: Type,
    /// `syncscope("…")`, with the quotes; empty where there is none.
    pub scope: Span,
    /// The ordering of an atomic access; of a `cmpxchg`, on success.
    pub ordering: Option<Ordering>,
    /// The ordering of a `cmpxchg` on failure.
    pub failure_ordering: Option<Ordering>,
    /// The operation of an `atomicrmw`.
    pub operation: Option<crate::opcode::RmwOperation>,
    /// The alignment in bytes, when stated.
    pub alignment: Option<u64>,
    /// The `addrspace(…)` of an `alloca`, without the parentheses; empty where there is none.
    pub address_space: Span,
}

impl Function {
    /// Empties the tables; keeps their memory.
    pub fn clear(&mut self) {
        let Function {
            values,
            blocks,
            instructions,
            parameters,
            parameter_names,
            calls,
            memory,
            debug_records,
            use_list_orders,
            bundles,
            constants,
            operand_pool,
            block_pool,
            span_pool,
            index_pool,
        } = self;
        values.clear();
        blocks.clear();
        instructions.clear();
        parameters.clear();
        parameter_names.clear();
        calls.clear();
        memory.clear();
        debug_records.clear();
        *use_list_orders = Span::default();
        bundles.clear();
        constants.clear();
        operand_pool.clear();
        block_pool.clear();
        span_pool.clear();
        index_pool.clear();
    }

    /// The operands of an instruction; for what is in them see [`Opcode`] and [`CallData`].
    pub fn operands(&self, inst: Inst) -> &[Value] {
        self.instructions[inst].operands.of(&self.operand_pool)
    }

    /// The values of a list, such as the operands of a bundle.
    pub fn list(&self, list: List) -> &[Value] {
        list.of(&self.operand_pool)
    }

    /// The name of a parameter or of an instruction's result; nothing for a constant.
    pub fn name(&self, value: Value) -> Option<LocalName> {
        match self.values[value].definition {
            Definition::Parameter(index) => self.parameter_names.get(index as usize).copied(),
            Definition::Instruction(inst) => Some(self.instructions[inst].name),
            _ => None,
        }
    }

    /// The blocks that an instruction names, in the order of the text. Of a terminator: its successors. Of a `phi`:
    /// for each operand the block that it comes from.
    pub fn targets(&self, inst: Inst) -> &[Block] {
        self.instructions[inst].targets.of(&self.block_pool)
    }

    /// The indices of an `extractvalue` or `insertvalue`.
    pub fn indices(&self, list: List) -> &[u32] {
        list.of(&self.index_pool)
    }

    /// The attributes of each argument of a call, as in the text. Shorter than the arguments when the last ones
    /// have none.
    pub fn argument_attributes(&self, call: Call) -> &[Span] {
        self.calls[call].argument_attributes.of(&self.span_pool)
    }

    /// The bundles of a call.
    pub fn bundles(&self, call: Call) -> &[BundleData] {
        self.calls[call].bundles.of(&self.bundles)
    }

    /// The `convergencectrl` bundles of a call.
    pub fn token_bundles(&self, call: &CallData) -> impl Iterator<Item = &BundleData> {
        call.bundles.of(&self.bundles).iter().filter(|bundle| bundle.is_convergence_control)
    }

    /// The instructions of a block.
    pub fn block_instructions(
        &self,
        block: Block,
    ) -> impl ExactSizeIterator<Item = Inst> + DoubleEndedIterator + use<> {
        let Range { start, end } = self.blocks[block].first.index()..self.blocks[block].end.index();
        (start..end).map(Inst::new)
    }

    /// The last instruction of a block.
    pub fn terminator(&self, block: Block) -> Inst {
        Inst::new(self.blocks[block].end.index() - 1)
    }

    /// The successors of a block, in the order of the terminator's operands; none for a block that leaves
    /// the function.
    pub fn successors(&self, block: Block) -> &[Block] {
        self.targets(self.terminator(block))
    }

    /// The control-flow graph: node `i` is block `i`; O(blocks + edges).
    pub fn control_flow_graph(&self) -> Digraph {
        let mut starts = Vec::with_capacity(self.blocks.len() + 1);
        let mut successors = Vec::with_capacity(self.blocks.len() * 2);
        starts.push(0);
        for block in self.blocks.keys() {
            successors.extend(self.successors(block).iter().map(|to| Node::new(to.index())));
            starts.push(successors.len() as u32);
        }
        Digraph::from_rows(Node::new(0), starts, successors)
    }
}
