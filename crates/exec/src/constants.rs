//! The values of constants: operands of instructions, and what global variables hold at first.
//!
//! A constant is evaluated to the components of its flattened type ([`crate::value`]). What depends on where the globals
//! of a module are put stays symbolic: an address is a symbol and an offset, and a number that is computed from addresses otherwise is
//! a [`Combination`]. [`Component::resolve`] gives its bits once addresses are known.
//!
//! Invariants: components that are numbers have no bit above their width; a combination contains neither undefined bits nor
//! poison, because those spread when it is built. Arithmetic wraps; flags such as `nsw` are not looked at, so what could be
//! poison is the wrapped number, as LLVM folds it.

mod evaluate;
mod image;

use reconverge_ir::function::LocalName;
use reconverge_ir::layout::LayoutError;
use reconverge_ir::opcode::Opcode;
use reconverge_ir::{Module, ReadError, Symbol};

pub use evaluate::evaluate;
pub use image::{Image, Relocation, image};

use crate::value::low_bits;

/// Why a constant has no value here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ConstantError(pub String);

impl From<LayoutError> for ConstantError {
    fn from(error: LayoutError) -> ConstantError {
        ConstantError(error.0)
    }
}

impl From<ReadError> for ConstantError {
    fn from(error: ReadError) -> ConstantError {
        ConstantError(error.message)
    }
}

impl From<&str> for ConstantError {
    fn from(message: &str) -> ConstantError {
        ConstantError(message.to_string())
    }
}

/// One component of a constant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Component {
    /// A number.
    Bits(u64),
    /// These bits are `undef`; others, if there are any, are zero.
    Undef(u64),
    /// `poison`
    Poison,
    /// The address of a variable or function.
    Address(Address),
    /// `blockaddress`: the address of a block.
    Block(BlockAddress),
    /// Another number that depends on addresses.
    Combination(Box<Combination>),
}

/// The address of a variable or function, and an offset: a number of `bits` bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Address {
    /// The variable or function; never an alias.
    pub symbol: Symbol,
    /// The offset in bytes.
    pub offset: i64,
    /// The address space whose addresses are meant: that of the symbol, or one that it was cast to.
    pub space: u32,
    /// How many low bits of the sum are meant.
    pub bits: u32,
}

/// A block whose address is taken.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct BlockAddress {
    /// The function that it is in.
    pub function: Symbol,
    /// Its name there.
    pub block: BlockName,
}

/// What a block is called in its function.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum BlockName {
    /// By name.
    Text(Box<[u8]>),
    /// By number.
    Number(u32),
}

impl BlockName {
    /// The same name for each spelling of it.
    pub fn of(module: &Module<'_>, name: LocalName) -> BlockName {
        match name {
            LocalName::Text(span) => BlockName::Text(reconverge_ir::text::unquote(module.spelling(span)).into()),
            LocalName::Number(number) => BlockName::Number(number),
        }
    }
}

/// A number that is computed from addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Combination {
    /// An `addrspacecast` of something else than an address in its own space.
    Cast {
        /// The address space of the operand.
        from: u32,
        /// That of the result.
        to: u32,
        /// What is cast.
        operand: Component,
    },
    /// A binary operation on integers.
    Binary {
        /// Which: `add`, `sub`, `mul`, `and`, `or`, `xor` or a shift.
        opcode: Opcode,
        /// How many bits the operands and the result have.
        bits: u32,
        /// The left operand.
        left: Component,
        /// The right operand.
        right: Component,
    },
    /// The low bits of a number.
    Low {
        /// How many.
        bits: u32,
        /// The number.
        operand: Component,
    },
}

/// Where things are, in the memory of a run.
pub trait Addresses {
    /// The address of a variable or function, in an address space; 0 for one that has none, such as an `extern_weak` one
    /// that nobody defines.
    fn address(&self, symbol: Symbol, space: u32) -> u64;

    /// The address of a block.
    fn block(&self, block: &BlockAddress) -> u64;

    /// What an `addrspacecast` makes of an address.
    fn cast(&self, from: u32, to: u32, address: u64) -> u64;
}

/// A component, all of it known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Resolved {
    /// The number.
    pub bits: u64,
    /// Its bits that are `undef`; they are zero in `bits`.
    pub undefined: u64,
    /// Whether it is poison.
    pub poison: bool,
}

/// The value of a constant: the components of its flattened type, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConstantValue {
    /// The components.
    pub components: Vec<Component>,
}

impl Component {
    /// The number, once it is known where globals are.
    pub fn resolve(&self, addresses: &impl Addresses) -> Resolved {
        match self {
            Component::Undef(undefined) => Resolved { undefined: *undefined, ..Resolved::default() },
            Component::Poison => Resolved { poison: true, ..Resolved::default() },
            _ => Resolved { bits: self.number(addresses), ..Resolved::default() },
        }
    }

    /// The number of a component that has no `undef` bits and is not poison.
    fn number(&self, addresses: &impl Addresses) -> u64 {
        match self {
            Component::Bits(bits) => *bits,
            Component::Undef(_) | Component::Poison => 0,
            Component::Address(Address { symbol, offset, space, bits }) => {
                addresses.address(*symbol, *space).wrapping_add_signed(*offset) & low_bits(*bits)
            }
            Component::Block(block) => addresses.block(block),
            Component::Combination(combination) => match &**combination {
                Combination::Cast { from, to, operand } => addresses.cast(*from, *to, operand.number(addresses)),
                Combination::Low { bits, operand } => operand.number(addresses) & low_bits(*bits),
                Combination::Binary { opcode, bits, left, right } => {
                    let (left, right) = (left.number(addresses), right.number(addresses));
                    binary(*opcode, *bits, left.into(), right.into()).unwrap_or(0) as u64
                }
            },
        }
    }

    /// Whether it is a number that depends on addresses.
    pub fn is_symbolic(&self) -> bool {
        matches!(self, Component::Address(_) | Component::Block(_) | Component::Combination(_))
    }
}

/// An operation on integers of at most 128 bits; nothing for an operation that constant expressions do not have, for a
/// shift by too much, and for a division by zero.
fn binary(opcode: Opcode, bits: u32, left: u128, right: u128) -> Option<u128> {
    let spare = 128 - bits;
    let signed = |number: u128| (number << spare).cast_signed() >> spare;
    let shift = u32::try_from(right).ok().filter(|&by| by < bits);
    let result = match opcode {
        Opcode::Add => left.wrapping_add(right),
        Opcode::Sub => left.wrapping_sub(right),
        Opcode::Mul => left.wrapping_mul(right),
        Opcode::And => left & right,
        Opcode::Or => left | right,
        Opcode::Xor => left ^ right,
        Opcode::Shl => left << shift?,
        Opcode::LShr => left >> shift?,
        Opcode::AShr => (signed(left) >> shift?).cast_unsigned(),
        _ => return None,
    };
    Some(result << spare >> spare)
}
