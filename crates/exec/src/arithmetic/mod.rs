//! What the instructions and intrinsics of LLVM IR compute, lane by lane ("LLVM Language Reference Manual").
//!
//! An operation gets the components of its operands and writes those of its result for all lanes of a wave. What it makes of
//! lanes that do not execute it is nobody's concern, but it does not panic over them, and immediate undefined behaviour is
//! reported only for lanes that are `active`. Otherwise a result depends on nothing but the operands of its own lane:
//!
//! - Where the manual says *poison*, the lane is poison in the result.
//! - Bits that are `undef` stay so exactly through bitwise operations, shifts by defined amounts, changes of width, `bitcast`,
//!   `select` and `freeze`. All else makes a result of them that is wholly `undef`.
//! - Floating-point results are rounded once, to nearest, ties to even. A NaN that is computed is quiet. Fast-math flags
//!   that only permit another result have no effect.
//!
//! [`integer`], [`float`] and [`exact`] are the arithmetic of one lane, for whoever implements other functions.

mod binary;
mod cast;
mod choice;
mod compare;
pub mod exact;
pub mod float;
pub mod integer;
pub mod intrinsics;
mod lanes;

pub use binary::{binary, fneg};
pub use cast::{bitcast, cast, float_from_integer, integer_from_float, saturate};
pub use choice::{freeze, select};
pub use compare::{fcmp, icmp};
pub use float::fast_math_poison;
pub use intrinsics::{Intrinsic, recognise};
pub use lanes::nonzero_lanes;
