//! Writing pieces of instructions: operands, types, numbers.

use cranelift_entity::PrimaryMap;

use super::types::TypeTexts;
use super::{names, text};
use crate::outline::TokenSource;
use crate::typed::{Function, Global, Program, Type, Variable};

/// What an instruction can take: a register, an address, or a constant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Operand {
    /// No value: the result of something of type void.
    None,
    /// A numbered register.
    Register(u32),
    /// An integer, already cut to its type.
    Integer(i128),
    /// A bool.
    Bool(bool),
    /// The bits of a double; also for single floats, which are written as doubles.
    Float(u64),
    /// The bits of a half.
    Half(u16),
    /// The bits of a bfloat.
    BFloat(u16),
    /// The null pointer whose bits are zero.
    Null,
    /// The null pointer of an address space where it has other bits.
    NullOf(u32),
    /// All bytes zero.
    Zero,
    /// Anything.
    Poison,
    /// The room of a variable on the stack.
    Variable(Variable),
    /// The room of an unnamed value on the stack.
    Slot(u32),
    /// A global.
    Global(Global),
    /// A function.
    Function(Function),
}

/// A block of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Block(pub(super) u32);

/// How a block is named: a word, and a number if that word was used before.
#[derive(Debug, Clone, Copy)]
pub(super) struct BlockName {
    /// What it is for.
    pub(super) word: &'static str,
    /// How many with this word there were before.
    pub(super) number: u32,
}

/// The bytes of a body, and what is needed to write names.
pub(super) struct Writer<'a> {
    /// What was written.
    pub(super) bytes: Vec<u8>,
    /// The program.
    pub(super) program: &'a Program,
    /// The types.
    pub(super) types: &'a TypeTexts,
    /// The variables of the body with their `%`.
    pub(super) variables: PrimaryMap<Variable, Box<[u8]>>,
}

/// Something that can be written.
pub(super) trait Piece {
    /// Writes it.
    fn put(self, to: &mut Writer<'_>);
}

impl Writer<'_> {
    /// Writes a piece.
    pub(super) fn put(&mut self, piece: impl Piece) {
        piece.put(self);
    }
}

impl Piece for &str {
    fn put(self, to: &mut Writer<'_>) {
        to.bytes.extend_from_slice(self.as_bytes());
    }
}

impl Piece for &[u8] {
    fn put(self, to: &mut Writer<'_>) {
        to.bytes.extend_from_slice(self);
    }
}

impl Piece for u32 {
    fn put(self, to: &mut Writer<'_>) {
        text::unsigned(&mut to.bytes, u64::from(self));
    }
}

impl Piece for u64 {
    fn put(self, to: &mut Writer<'_>) {
        text::unsigned(&mut to.bytes, self);
    }
}

impl Piece for i128 {
    fn put(self, to: &mut Writer<'_>) {
        text::signed(&mut to.bytes, self);
    }
}

/// The type of values.
#[derive(Clone, Copy)]
pub(super) struct Of(pub(super) Type);

impl Piece for Of {
    fn put(self, to: &mut Writer<'_>) {
        let types = to.types;
        to.bytes.extend_from_slice(&types[self.0].value);
    }
}

/// The type of what is in memory.
#[derive(Clone, Copy)]
pub(super) struct Stored(pub(super) Type);

impl Piece for Stored {
    fn put(self, to: &mut Writer<'_>) {
        let types = to.types;
        to.bytes.extend_from_slice(&types[self.0].memory);
    }
}

/// The type of pointers into an address space, with a blank behind it.
#[derive(Clone, Copy)]
pub(super) struct Pointer(pub(super) u32);

impl Piece for Pointer {
    fn put(self, to: &mut Writer<'_>) {
        if self.0 == 0 {
            to.put("ptr ");
        } else {
            to.put("ptr addrspace(");
            to.put(self.0);
            to.put(") ");
        }
    }
}

impl Piece for Operand {
    fn put(self, to: &mut Writer<'_>) {
        match self {
            Operand::None => {}
            Operand::Register(number) => {
                to.put("%");
                to.put(number);
            }
            Operand::Integer(number) => to.put(number),
            Operand::Bool(value) => to.put(if value { "true" } else { "false" }),
            Operand::Float(bits) => text::hexadecimal(&mut to.bytes, "", bits, 16),
            Operand::Half(bits) => text::hexadecimal(&mut to.bytes, "H", u64::from(bits), 4),
            Operand::BFloat(bits) => text::hexadecimal(&mut to.bytes, "R", u64::from(bits), 4),
            Operand::Null => to.put("null"),
            Operand::NullOf(space) => {
                to.put("addrspacecast (ptr null to ptr addrspace(");
                to.put(space);
                to.put("))");
            }
            Operand::Zero => to.put("zeroinitializer"),
            Operand::Poison => to.put("poison"),
            Operand::Variable(variable) => to.bytes.extend_from_slice(&to.variables[variable]),
            Operand::Slot(number) => {
                to.put("%slot.tmp.");
                to.put(number);
            }
            Operand::Global(global) => {
                to.put("@");
                text::name(&mut to.bytes, &to.program.globals[global].name);
            }
            Operand::Function(function) => names::called(&mut to.bytes, &to.program.functions[function]),
        }
    }
}

impl Piece for BlockName {
    fn put(self, to: &mut Writer<'_>) {
        to.put(self.word);
        if self.number > 0 {
            to.put(".");
            to.put(self.number);
        }
    }
}

impl Piece for TokenSource {
    fn put(self, to: &mut Writer<'_>) {
        let (word, node) = match self {
            TokenSource::Body => return to.put("%body.token"),
            TokenSource::Heart(node) => ("%heart.token.", node),
            TokenSource::Anchor(node) => ("%anchor.token.", node),
        };
        to.put(word);
        to.put(node.as_u32());
    }
}
