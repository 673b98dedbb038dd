//! A machine function as data: blocks, instructions, operands and virtual registers, in flat arrays.
//!
//! **Invariants.** Blocks, and the instructions of a block, are in the order of the text; the first block is the entry. Each number of a block is there once,
//! and [`Operand::what`] names blocks and registers by their places in these arrays. Whether a register is defined once, and before its uses, is not
//! said here: see [`lower`](crate::lower()).

use std::ops::Range;

/// A machine function.
#[derive(Debug, Clone, Default)]
pub struct Function<'t> {
    /// Its name, without quotes.
    pub name: &'t str,
    /// Where the line with its name begins.
    pub offset: usize,
    /// The basic blocks.
    pub blocks: Vec<Block<'t>>,
    /// All instructions; those in a bundle are instructions like others, and the head of the bundle is none.
    pub instructions: Vec<Instruction<'t>>,
    /// The virtual registers.
    pub registers: Vec<Register<'t>>,
    pub(crate) operands: Vec<Operand<'t>>,
    pub(crate) memory: Vec<MemoryOperand>,
    /// The pool of what `successors:` lines name.
    pub(crate) successors: Vec<BlockIndex>,
}

/// Index into [`Function::blocks`].
pub type BlockIndex = u32;

/// Index into [`Function::registers`].
pub type RegisterIndex = u32;

/// A basic block.
#[derive(Debug, Clone)]
pub struct Block<'t> {
    /// Its number: 3 in `bb.3.loop`.
    pub number: u32,
    /// What follows its number, if anything: `loop`.
    pub name: &'t str,
    /// Where its label begins.
    pub offset: usize,
    /// Its instructions.
    pub instructions: Range<u32>,
    /// What its `successors:` line names, as a range of the pool; nothing where it has no such line.
    pub(crate) successors: Option<Range<u32>>,
}

/// An instruction.
#[derive(Debug, Clone)]
pub struct Instruction<'t> {
    /// What it does: `V_ADD_U32_e64`.
    pub opcode: &'t str,
    /// Where it begins.
    pub offset: usize,
    pub(crate) operands: Range<u32>,
    pub(crate) memory: Range<u32>,
}

/// An operand that is a register, or says something that matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operand<'t> {
    /// What it is.
    pub what: What<'t>,
    /// Whether the instruction writes it.
    pub is_definition: bool,
    /// Of a register: whether the instruction reads it.
    pub is_read: bool,
    /// Whether it is only a part of a register (`%0.sub1`).
    pub is_part: bool,
    /// Where it begins.
    pub offset: usize,
}

/// What an operand is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What<'t> {
    /// A virtual register.
    Virtual(RegisterIndex),
    /// A physical register, without the `$`.
    Physical(&'t str),
    /// A basic block.
    Block(BlockIndex),
    /// Memory of the stack (`%stack.0`, `%fixed-stack.0`).
    Stack,
    /// An intrinsic, without the `@`.
    Intrinsic(&'t str),
    /// Anything else.
    Other,
}

/// What an instruction does to memory, as `:: (load (s32), addrspace 1)` says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryOperand {
    /// Whether it reads.
    pub loads: bool,
    /// The address space.
    pub address_space: u32,
}

/// A virtual register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Register<'t> {
    /// Its number or name, without the `%`.
    pub name: &'t str,
    /// Its class or bank; `_` or nothing where it has none.
    pub class: &'t str,
    /// Whether its type is a boolean (`s1`).
    pub is_boolean: bool,
    /// The first place that names it.
    pub offset: usize,
}

impl<'t> Function<'t> {
    /// The operands of an instruction, in the order of the text.
    pub fn operands(&self, instruction: &Instruction<'t>) -> &[Operand<'t>] {
        &self.operands[instruction.operands.start as usize..instruction.operands.end as usize]
    }

    /// What an instruction does to memory, as far as it is said.
    pub fn memory(&self, instruction: &Instruction<'t>) -> &[MemoryOperand] {
        &self.memory[instruction.memory.start as usize..instruction.memory.end as usize]
    }

    /// The instructions of a block.
    pub fn instructions_of(&self, block: &Block<'t>) -> &[Instruction<'t>] {
        &self.instructions[block.instructions.start as usize..block.instructions.end as usize]
    }

    /// How a block is called: `bb.3`.
    pub fn block_name(&self, block: BlockIndex) -> String {
        format!("bb.{}", self.blocks[block as usize].number)
    }

    /// How a virtual register is called: `%3`.
    pub fn register_name(&self, register: RegisterIndex) -> String {
        format!("%{}", self.registers[register as usize].name)
    }
}
