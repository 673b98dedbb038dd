//! Pieces of instructions: operands, types, numbers, words.

use super::Language;
use super::spelling;

/// What an instruction can take: a register, a name, or a constant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Operand<Name> {
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
    /// What has a name.
    Named(Name),
}

/// Bytes, and what is needed to write names and types.
#[derive(Debug)]
pub struct Writer<L> {
    /// How names and types are spelled.
    pub language: L,
    /// What was written.
    pub bytes: Vec<u8>,
}

/// Something that can be written.
pub trait Piece<L: Language> {
    /// Writes it.
    fn put(self, to: &mut Writer<L>);
}

impl<L: Language> Writer<L> {
    /// Writes a piece.
    #[inline]
    pub fn put(&mut self, piece: impl Piece<L>) {
        piece.put(self);
    }

    /// Writes a type.
    pub(super) fn put_type(&mut self, of: L::Type) {
        self.language.put_type(of, &mut self.bytes);
    }
}

impl<L: Language> Piece<L> for &str {
    #[inline]
    fn put(self, to: &mut Writer<L>) {
        to.bytes.extend_from_slice(self.as_bytes());
    }
}

impl<L: Language> Piece<L> for &[u8] {
    #[inline]
    fn put(self, to: &mut Writer<L>) {
        to.bytes.extend_from_slice(self);
    }
}

impl<L: Language> Piece<L> for u32 {
    fn put(self, to: &mut Writer<L>) {
        spelling::unsigned(&mut to.bytes, u64::from(self));
    }
}

impl<L: Language> Piece<L> for u64 {
    fn put(self, to: &mut Writer<L>) {
        spelling::unsigned(&mut to.bytes, self);
    }
}

impl<L: Language> Piece<L> for i128 {
    fn put(self, to: &mut Writer<L>) {
        spelling::signed(&mut to.bytes, self);
    }
}

/// The type of pointers into an address space, with a blank behind it.
#[derive(Debug, Clone, Copy)]
pub struct Pointer(pub u32);

impl<L: Language> Piece<L> for Pointer {
    fn put(self, to: &mut Writer<L>) {
        if self.0 == 0 {
            to.put("ptr ");
        } else {
            to.put("ptr addrspace(");
            to.put(self.0);
            to.put(") ");
        }
    }
}

impl<Name, L: Language<Name = Name>> Piece<L> for Operand<Name> {
    fn put(self, to: &mut Writer<L>) {
        match self {
            Operand::None => {}
            Operand::Register(number) => {
                to.put("%");
                to.put(number);
            }
            Operand::Integer(number) => to.put(number),
            Operand::Bool(value) => to.put(if value { "true" } else { "false" }),
            Operand::Float(bits) => spelling::hexadecimal(&mut to.bytes, "", bits, 16),
            Operand::Half(bits) => spelling::hexadecimal(&mut to.bytes, "H", u64::from(bits), 4),
            Operand::BFloat(bits) => spelling::hexadecimal(&mut to.bytes, "R", u64::from(bits), 4),
            Operand::Null => to.put("null"),
            Operand::NullOf(space) => {
                to.put("addrspacecast (ptr null to ptr addrspace(");
                to.put(space);
                to.put("))");
            }
            Operand::Zero => to.put("zeroinitializer"),
            Operand::Poison => to.put("poison"),
            Operand::Named(name) => to.language.put_name(name, &mut to.bytes),
        }
    }
}
