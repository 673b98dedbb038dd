//! Reductions and scans: the values of several threads become one, in ascending order of their numbers.
//!
//! For an operation ∘ with neutral element *e* and the values *v₀ … vₙ* of the threads of a set, thread *i* gets *v₀ ∘ … ∘ vₙ*
//! (a reduction), *v₀ ∘ … ∘ vᵢ* (an inclusive scan) or *e ∘ v₀ ∘ … ∘ vᵢ₋₁* (an exclusive scan), from left to right, so that
//! floating-point results are the same each time. Of a vector, each element is combined on its own.

/// How two values become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Combine {
    /// The sum, of integers or floating-point numbers.
    Add,
    /// The negated sum.
    Subtract,
    /// The product.
    Multiply,
    /// The lesser; integers have a sign. A NaN loses against a number.
    Minimum,
    /// The greater; integers have a sign. A NaN loses against a number.
    Maximum,
    /// The lesser of integers without a sign.
    UnsignedMinimum,
    /// The greater of integers without a sign.
    UnsignedMaximum,
    /// The lesser of floating-point numbers.
    FloatMinimum(FloatOrder),
    /// The greater of floating-point numbers.
    FloatMaximum(FloatOrder),
    /// Bit by bit.
    And,
    /// Bit by bit.
    Or,
    /// Bit by bit.
    Xor,
    /// Whether both are not zero: 1 or 0.
    LogicalAnd,
    /// Whether one is not zero: 1 or 0.
    LogicalOr,
    /// Whether exactly one is not zero: 1 or 0.
    LogicalXor,
}

/// How floating-point numbers compare in `redux.sync`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FloatOrder {
    /// By their absolute values, which are what is combined.
    pub absolute: bool,
    /// A NaN wins against a number.
    pub nan: bool,
}

/// Of which threads a thread gets the values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Extent {
    /// All.
    Reduce,
    /// Those up to it.
    Inclusive,
    /// Those before it; the neutral element where there are none.
    Exclusive,
}
