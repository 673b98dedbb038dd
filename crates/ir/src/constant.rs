//! Constants: operands that are known before the program runs.
//!
//! A constant is a [`ConstantData`] of a few bytes; what has parts keeps them in the
//! [`ConstantTables`] beside it. Numbers that do not fit 64 bits, and all floating-point literals, keep
//! the spelling of the text.

use cranelift_entity::{PrimaryMap, entity_impl};

use crate::function::{List, LocalName};
use crate::module::Symbol;
use crate::opcode::{Flags, Opcode, Predicate};
use crate::text::Span;
use crate::types::Type;

/// A constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConstantData {
    /// An integer of at most 64 bits; `true` is 1.
    Integer(i64),
    /// A floating-point literal, or an integer of more than 64 bits, as spelled.
    Literal(Span),
    /// `null`
    Null,
    /// `undef`
    Undef,
    /// `poison`
    Poison,
    /// `zeroinitializer`
    Zero,
    /// The token `none`.
    NoneToken,
    /// The address of a global, function, alias or ifunc.
    Global(Symbol),
    /// An array, struct or vector of constants; the type says which.
    Aggregate(Aggregate),
    /// `c"…"`, with the `c` and the quotes.
    String(Span),
    /// A constant expression, `blockaddress`, inline assembly and the like.
    Expression(Expression),
    /// An operand of type `metadata`, as spelled.
    Metadata(Span),
}

/// An entry of [`ConstantTables::aggregates`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Aggregate(u32);
entity_impl!(Aggregate, "aggregate");

/// An entry of [`ConstantTables::expressions`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Expression(u32);
entity_impl!(Expression, "expression");

/// The parts of constants.
#[derive(Debug, Clone, Default)]
pub struct ConstantTables {
    /// Aggregates: their elements, read with [`crate::Function::list`].
    pub aggregates: PrimaryMap<Aggregate, List>,
    /// Expressions.
    pub expressions: PrimaryMap<Expression, ExpressionData>,
}

impl ConstantTables {
    pub(crate) fn clear(&mut self) {
        self.aggregates.clear();
        self.expressions.clear();
    }
}

/// A constant with operands.
#[derive(Debug, Clone, Copy)]
pub struct ExpressionData {
    /// What it computes.
    pub kind: ExpressionKind,
    /// Its operands.
    pub operands: List,
}

/// What a constant with operands computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpressionKind {
    /// An instruction's operation: binary, cast, `extractelement`, `insertelement`, `shufflevector`, `select`.
    Operation(Opcode, Flags),
    /// `icmp` or `fcmp` (up to LLVM 19).
    Compare(Opcode, Predicate),
    /// `getelementptr`: the source element type and, when there is one, the text of `inrange(…)`.
    GetElementPtr(Type, Flags, Span),
    /// `blockaddress(@f, %b)`: the name of the block. The operand is the function.
    BlockAddress(LocalName),
    /// `dso_local_equivalent @f`
    DsoLocalEquivalent,
    /// `no_cfi @f`
    NoCfi,
    /// `ptrauth (…)`
    PtrAuth,
    /// `splat (…)`
    Splat,
    /// Inline assembly, as spelled, from `asm` to the constraints.
    InlineAsm(Span),
}
