//! What instructions and intrinsics compute, against other arithmetic.
//!
//! `RECONVERGE_ROUNDS` multiplies the random operands; `RECONVERGE_SEED` sets the seed, which a failure prints.

mod binary;
mod bits;
mod cast;
mod compare;
mod float;
mod harness;
mod intrinsics;
mod opcodes;
mod undefined;
