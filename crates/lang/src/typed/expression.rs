//! Expressions of a body.

use thin_vec::ThinVec;

use super::{Expression, Function, Global, Label, Type, Variable};
use crate::source::Location;
pub use crate::tree::BinaryOperator;

/// An expression with its type and place. 24 bytes: there is nearly one for each token.
#[derive(Debug, Clone)]
pub struct ExpressionData {
    /// What it is.
    pub kind: ExpressionKind,
    /// The type of the value, or of what is at the place.
    pub of: Type,
    /// What a caret points at, and the line of the instructions.
    pub location: Location,
}

const _: () = assert!(size_of::<ExpressionData>() <= 24);

/// An expression. "Place" marks what stands for a place in memory (an lvalue); the others are values.
#[derive(Debug, Clone, PartialEq)]
pub enum ExpressionKind {
    /// An integer or bool, cut to the width. Also null pointers (0).
    Integer(u64),
    /// An integer that needs more than 64 bits.
    LongInteger(Box<u128>),
    /// A float, as a double (exact for the narrower ones).
    Float(f64),
    /// A vector or struct or array of zeros.
    Zero,
    /// Place: a variable on the stack.
    Variable(Variable),
    /// Place: a global.
    Global(Global),
    /// A function, as a pointer.
    Function(Function),
    /// The address of a label of the body, as a pointer to void.
    LabelAddress(Label),
    /// Place: what a pointer points at.
    Dereference(Expression),
    /// Place where `base` is one, else a value: a member of a struct or union, by its index.
    Field {
        /** Of what. */
        base: Expression,
        /** Which. */
        index: u32,
    },
    /// Place where `base` is one, else a value: lanes of a vector, in the order given (`v.wzx`, `v.hi`, one for `v.x`). As a place it can only be loaded
    /// and assigned. For one lane, the type is the element.
    Lanes {
        /** Of what. */
        base: Expression,
        /** Which. */
        lanes: ThinVec<u8>,
    },
    /// Place where the base is one, else a value: a lane of a vector by a number that is known when it runs.
    Lane(Expression, Expression),
    /// What is at a place.
    Load(Expression),
    /// The address of a place, as a pointer.
    AddressOf(Expression),
    /// A pointer to the first element of the array at a place.
    Decay(Expression),
    /// A pointer plus a number of elements (an integer of 64 bits).
    PointerOffset(Expression, Expression),
    /// How many elements are between two pointers, as an integer of 64 bits.
    PointerDifference(Expression, Expression),
    /// `-x`, of an integer, float, or vector.
    Negate(Expression),
    /// `~x`, of an integer or vector.
    Complement(Expression),
    /// `!x`, of a bool. (For a vector: a comparison with zero.)
    Not(Expression),
    /// Arithmetic and bits: both operands have the result's type (shifts too). For integers division, remainder, shift right go by the sign of the type.
    /// `is_wrapping`: an overflow of a signed integer is defined.
    Arithmetic(BinaryOperator, Expression, Expression),
    /// A comparison of two operands of one type (integers, floats, pointers, bools): a bool. Of vectors: a vector of integers of the same width,
    /// -1 for true.
    Compare(BinaryOperator, Expression, Expression),
    /// `a && b` of bools: b only where a is true.
    And(Expression, Expression),
    /// `a || b` of bools: b only where a is false.
    Or(Expression, Expression),
    /// `a ? b : c`: a bool; only one of b and c. Values, both of the result's type (or void).
    Conditional(Expression, Expression, Expression),
    /// OpenCL's `select` and `?:` with a vector of conditions: for each lane, b where the highest bit of a's lane is set, else c.
    Select(Expression, Expression, Expression),
    /// Assigns a value to a place; its value is what was assigned.
    Assign(Expression, Expression),
    /// `place = (T)((C)place op value)`, the place evaluated once: `C` is the type of `value` (the place's own type
    /// for pointers, whose `value` is a number of elements, an integer of 64 bits).
    CompoundAssign(BinaryOperator, Expression, Expression),
    /// `++`, `--` of an integer, float or pointer at a place. The value is the old one unless `prefix`.
    Step {
        /** What is changed. */
        place: Expression,
        /** `++`. */
        up: bool,
        /** Whether the value is the new one. */
        prefix: bool,
    },
    /// First one, then the other; the value or place is that of the second.
    Comma(Expression, Expression),
    /// A conversion; from the operand's type to this expression's.
    Convert(Conversion, Expression),
    /// A vector of parts, scalars and vectors, whose lanes together are as many as the result's.
    VectorOf(ThinVec<Expression>),
    /// A struct or array value of one value for each part.
    AggregateOf(ThinVec<Expression>),
    /// A vector that has the same value in each lane.
    Splat(Expression),
    /// Fills the place with zeros; void.
    InitializeZero(Expression),
    /// A call of a function of the program. Arguments have the types of the parameters.
    Call {
        /** What is called. Its `is_convergent` says whether the call is a convergent operation, unless the call says otherwise. */
        function: Function,
        /** `convergent` or `noconvergent` on the call. */
        convergent: Option<bool>,
        /** With what. */
        arguments: ThinVec<Expression>,
    },
    /// A call of what a pointer points at: a convergent operation in dialects for GPUs.
    CallPointer {
        /** To a function. */
        pointer: Expression,
        /** With what. */
        arguments: ThinVec<Expression>,
    },
    /// An atomic operation on memory.
    Atomic(Box<Atomic>),
    /// A fence.
    Fence(MemoryOrder, MemoryScope),
}

impl ExpressionKind {
    /// An integer.
    pub fn integer(bits: u128) -> ExpressionKind {
        match u64::try_from(bits) {
            Ok(bits) => ExpressionKind::Integer(bits),
            Err(_) => ExpressionKind::LongInteger(Box::new(bits)),
        }
    }

    /// The bits of an integer; none for anything else.
    pub fn bits(&self) -> Option<u128> {
        match self {
            ExpressionKind::Integer(bits) => Some(u128::from(*bits)),
            ExpressionKind::LongInteger(bits) => Some(**bits),
            _ => None,
        }
    }
}

/// How a value is converted; what is meant is decided by the two types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Conversion {
    /// Between arithmetic types (integers, floats, bool), lane by lane for vectors. To bool: not equal to zero.
    Arithmetic,
    /// The same bits: vectors, integers and floats of one size.
    Bits,
    /// Between pointers: of other pointees or address spaces.
    Pointer,
    /// Pointer to integer.
    PointerToInteger,
    /// Integer to pointer.
    IntegerToPointer,
    /// A pointer to bool: whether it is not null.
    PointerToBool,
    /// To void.
    Discard,
}

/// An atomic operation.
#[derive(Debug, Clone, PartialEq)]
pub struct Atomic {
    /// What is done.
    pub operation: AtomicOperation,
    /// A pointer to where.
    pub pointer: Expression,
    /// The order it takes part in.
    pub order: MemoryOrder,
    /// Between whom.
    pub scope: MemoryScope,
}

/// What an atomic operation does. Read-modify-writes have the old value, a store is void.
#[derive(Debug, Clone, PartialEq)]
pub enum AtomicOperation {
    /// Reads.
    Load,
    /// Writes.
    Store(Expression),
    /// Reads, combines with a value, writes.
    Update(AtomicUpdate, Expression),
    /// Writes `new` where there is `expected`; the value is the old one.
    CompareExchange {
        /** What is looked for. */
        expected: Expression,
        /** What is written. */
        new: Expression,
    },
}

/// How an atomic update combines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum AtomicUpdate {
    Exchange,
    Add,
    Subtract,
    And,
    Or,
    Xor,
    /// By the sign of the type; of floats, `fmin`.
    Minimum,
    /// By the sign of the type; of floats, `fmax`.
    Maximum,
    /// Adds one, back to zero above the value (CUDA's `atomicInc`).
    IncrementWrap,
    /// Subtracts one, back to the value at zero (CUDA's `atomicDec`).
    DecrementWrap,
}

/// An order of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum MemoryOrder {
    Relaxed,
    Acquire,
    Release,
    AcquireRelease,
    SequentiallyConsistent,
}

/// The threads between which an atomic operation holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum MemoryScope {
    Subgroup,
    Workgroup,
    Device,
    System,
}
